"use client";

import { createContext, use, useRef, type KeyboardEvent } from "react";
import { Button, ButtonContext } from "react-aria-components";
import { DragHandle } from "@/components/ui/sortable-list";
import { isError, type EntryIssue } from "../desk/entry-issues";
import { shortText } from "../list/entry-texts";
import { focusCell } from "../desk/focus";
import { useGoToText } from "../fields/field-notes";
import { isTable, parsePastedValues } from "./paste-values";
import { useValuesEdit, type ValueColumn } from "./use-values-edit";
import { ValueMenu } from "./value-menu";
import type { ValueRow } from "./value-rows";

interface ValuesShown {
  /** Of the entry. */
  id: string;
  rows: ReadonlyMap<string, ValueRow>;
  count: number;
  issues: readonly EntryIssue[];
  setPasted: (sentence: string) => void;
}

/** Cells read their row here rather than from the list, which takes two rounds to draw a change: too late for a caret. */
export const ValuesContext = createContext<ValuesShown | undefined>(undefined);

export function ValueCells({ rowId }: { rowId: string }) {
  const shown = use(ValuesContext);
  const row = shown?.rows.get(rowId);
  if (shown === undefined || row === undefined) return <DragHandle />;
  return (
    <>
      <DragHandle className="cursor-grab opacity-60 group-hover:opacity-100" />
      {row.isRecord ? (
        <>
          <ValueCell shown={shown} row={row} column="text" />
          <ValueCell shown={shown} row={row} column="value" />
        </>
      ) : (
        <OddCell id={shown.id} place={`/values/${row.index}`} value={row.item} />
      )}
      {/* Kept from what the row tells its buttons at each change, it need not be drawn again with the row. */}
      <ButtonContext value={null}>
        <ValueMenu id={shown.id} row={row} count={shown.count} />
      </ButtonContext>
    </>
  );
}

interface ValueCellProps {
  shown: ValuesShown;
  row: ValueRow;
  column: ValueColumn;
}

const CELL =
  "h-7 min-w-0 flex-1 rounded border border-transparent bg-transparent px-2 text-[13px] text-ink hover:border-line focus:border-accent-text focus:outline-2 focus:-outline-offset-1 focus:outline-accent-text aria-invalid:border-danger";

function ValueCell({ shown: { id, rows, count, issues, setPasted }, row, column }: ValueCellProps) {
  const edit = useValuesEdit(id);
  const wasBlank = useRef(false);
  const written = row[column];
  if (!isTextOrMissing(written)) {
    return <OddCell id={id} place={`/values/${row.index}/${column}`} value={written} />;
  }
  const text = written ?? "";

  /** A row that was blank gets its value from its text once that is left. */
  function leave(): void {
    const isFilled = wasBlank.current && column === "text" && text !== "" && !row.value;
    wasBlank.current = false;
    if (!isFilled) return;
    const taken = [...rows.values()].map(({ value }) => value).filter((value) => typeof value === "string");
    const made = parsePastedValues(text, taken.filter(Boolean)).values[0]?.value;
    if (made !== undefined) edit.write(row, "value", made, "text");
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const { index } = row;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    if (step !== undefined) {
      event.preventDefault();
      if (index + step >= 0 && index + step < count) focusCell(id, index + step, column);
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (column === "text") focusCell(id, index, "value");
    else {
      if (index === count - 1) edit.add(count);
      focusCell(id, index + 1, "text");
    }
  }

  const isWrong = issues.some((issue) => isError(issue) && issue.place === `/values/${row.index}/${column}`);
  return (
    <input
      data-cell={`${row.index}/${column}`}
      aria-label={`${column === "text" ? "Text" : "Value"} ${row.index + 1}`}
      aria-invalid={isWrong || undefined}
      value={text}
      autoComplete="off"
      spellCheck={column === "text"}
      className={column === "value" ? `${CELL} font-mono` : CELL}
      onChange={(event) => edit.write(row, column, event.target.value)}
      onFocus={() => (wasBlank.current = !row.text && !row.value)}
      onBlur={leave}
      onKeyDown={onKeyDown}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData("text/plain");
        if (!isTable(pasted)) return;
        event.preventDefault();
        wasBlank.current = false;
        setPasted(edit.paste(row, pasted));
      }}
    />
  );
}

/** What no input can show stays as it is; a press leads to where it is mended. */
function OddCell({ id, place, value }: { id: string; place: string; value: unknown }) {
  const goToText = useGoToText();
  return (
    <Button
      aria-label={`${shortText(value)}: mend it in the JSON tab`}
      onPress={() => goToText(id, place)}
      className="min-w-0 flex-1 cursor-pointer truncate rounded px-2 text-left font-mono text-[13px] text-warning underline decoration-dotted underline-offset-4 focus-visible:outline-2 focus-visible:outline-accent-text"
    >
      {shortText(value)}
    </Button>
  );
}

function isTextOrMissing(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
