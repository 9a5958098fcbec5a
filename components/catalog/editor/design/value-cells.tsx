"use client";

import { Trash2 } from "lucide-react";
import { createContext, type KeyboardEvent, memo, type SyntheticEvent, use, useRef } from "react";
import { Button, ButtonContext } from "react-aria-components";
import { DragHandle, MenuItem, MenuSeparator } from "@/components/ui/collections";
import { focusCell, type ValueColumn } from "../model/focus";
import { formatValue } from "../model/labels";
import { AFTER_CLOSE_MS, MoveItems, RowMenu } from "./desk";
import { type EntryIssue, isError, useOpenInJson } from "./entry-issues";
import { isTable, useValuesEdit, type ValueRow } from "./values-edit";
import { MAX_RENDERED_ROWS } from "./virtual-list";

interface ValuesContextValue {
  entryId: string;
  rows: ReadonlyMap<string, ValueRow>;
  count: number;
  issues: readonly EntryIssue[];
  /** Shows the result of a paste. */
  setPasteResult: (message: string) => void;
}

/** Cells read their row from here, because the list renders changes a round later, which would move the caret. */
export const ValuesContext = createContext<ValuesContextValue | undefined>(undefined);

export function ValueCells({ rowId }: { rowId: string }) {
  const context = use(ValuesContext);
  const row = context?.rows.get(rowId);
  if (context === undefined || row === undefined) return <DragHandle />;
  return (
    <>
      <DragHandle className="cursor-grab opacity-60 group-hover:opacity-100" />
      {row.isRecord ? (
        <>
          <ValueCell context={context} row={row} column="text" />
          <ValueCell context={context} row={row} column="value" />
        </>
      ) : (
        <UnsupportedCell id={context.entryId} pointer={`/values/${row.index}`} value={row.item} />
      )}
      {/* Without the row's context, which changes on every edit, the menu isn't rendered again. */}
      <ButtonContext value={null}>
        <ValueMenu id={context.entryId} row={row} count={context.count} />
      </ButtonContext>
    </>
  );
}

interface ValueCellProps {
  context: ValuesContextValue;
  row: ValueRow;
  column: ValueColumn;
}

const CELL =
  "h-7 min-w-0 flex-1 rounded border border-transparent bg-transparent px-2 text-small text-ink hover:border-line focus:border-accent-text focus:outline-2 focus:-outline-offset-1 focus:outline-accent-text aria-invalid:border-danger";

function ValueCell({ context, row, column }: ValueCellProps) {
  const { entryId: id, count, issues, setPasteResult } = context;
  const edit = useValuesEdit(id);
  const wasBlank = useRef(false);
  /** The row's value when the cell got the focus. */
  const valueBefore = useRef<unknown>(undefined);
  const written = row[column];
  const pointer = `/values/${row.index}/${column}`;
  if (written !== undefined && typeof written !== "string")
    return <UnsupportedCell id={id} pointer={pointer} value={written} />;
  const text = written ?? "";

  /** A new row's value and an emptied one are made from the text. A value that was empty before may be meant to be. */
  function onBlur(): void {
    if (column === "text" ? wasBlank.current : Boolean(valueBefore.current)) edit.fillValue(row, column);
    wasBlank.current = false;
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

  /** Lines and columns become rows. An input would drop their line breaks. */
  function insertTable(event: SyntheticEvent, data: DataTransfer): void {
    const text = data.getData("text/plain");
    if (!isTable(text)) return;
    event.preventDefault();
    wasBlank.current = false;
    setPasteResult(edit.paste(row, text));
    // A list that grows past the limit is rendered again from scratch.
    if (count <= MAX_RENDERED_ROWS) focusCell(id, row.index, column);
  }

  const isInvalid = issues.some((issue) => isError(issue) && issue.pointer === pointer);
  return (
    <input
      data-cell={`${row.index}/${column}`}
      aria-label={`${column === "text" ? "Text" : "Value"} ${row.index + 1}`}
      aria-invalid={isInvalid || undefined}
      value={text}
      autoComplete="off"
      spellCheck={column === "text"}
      className={column === "value" ? `${CELL} font-mono` : CELL}
      onChange={(event) => edit.write(row, column, event.target.value)}
      onFocus={() => {
        wasBlank.current = !row.text && !row.value;
        valueBefore.current = row.value;
      }}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
      onPaste={(event) => insertTable(event, event.clipboardData)}
      onDrop={(event) => insertTable(event, event.dataTransfer)}
    />
  );
}

/** A value that no input can show; it can be fixed as text. */
function UnsupportedCell({ id, pointer, value }: { id: string; pointer: string; value: unknown }) {
  const openInJson = useOpenInJson();
  return (
    <Button
      translate="no"
      aria-label={`${formatValue(value)}: fix in JSON`}
      onPress={() => openInJson(id, pointer)}
      className="min-w-0 flex-1 cursor-pointer truncate rounded px-2 text-left font-mono text-small text-warning underline decoration-dotted underline-offset-4"
    >
      {formatValue(value)}
    </Button>
  );
}

const ValueMenu = memo(function ValueMenu({ id, row, count }: { id: string; row: ValueRow; count: number }) {
  const edit = useValuesEdit(id);
  const { index } = row;
  const focusSoon = (target: number) => {
    if (target >= 0) setTimeout(() => focusCell(id, target, "text"), AFTER_CLOSE_MS);
  };
  return (
    <RowMenu label={`Actions for value ${index + 1}, ${formatValue(row.text)}`} size="size-7">
      <MoveItems
        index={index}
        count={count}
        onMove={(to) => {
          edit.move(row, to);
          focusSoon(to > index ? to - 1 : to);
        }}
      />
      <MenuSeparator />
      <MenuItem
        icon={Trash2}
        tone="danger"
        onAction={() => {
          edit.remove(row);
          focusSoon(Math.min(index, count - 2));
        }}
      >
        Delete
      </MenuItem>
    </RowMenu>
  );
});
