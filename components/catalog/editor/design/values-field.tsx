"use client";

import { Plus } from "lucide-react";
import { memo, useDeferredValue, useMemo, useState } from "react";
import { GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { DragPreview, dropLine } from "@/components/ui/collections";
import { TouchOrder } from "@/components/ui/touch-order";
import type { Setting } from "@/lib/contract/catalog/manifest";
import { MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { BLANK_VALUE } from "@/lib/domain/catalog/manifest/entry";
import { focusCell, valueRowHeight } from "../model/focus";
import { formatValue } from "../model/labels";
import { type EntryIssue, IssueLines, issuesAt, UnsupportedValue, useEntryIssues } from "./entry-issues";
import { useEntryEdit } from "./member-fields";
import { ValueCells, ValuesContext } from "./value-cells";
import { keepRows, useValuesEdit, type ValueRow } from "./values-edit";
import { VirtualList } from "./virtual-list";

interface ValuesFieldProps {
  id: string;
  /** Undefined if unknown. */
  type: Setting["type"] | undefined;
  /** From the manifest, of any type. */
  values: unknown;
}

/** The values of a Select, or a fix for values that are missing or don't belong to the type. */
export function ValuesField({ id, type, values }: ValuesFieldProps) {
  const edit = useEntryEdit(id);
  const issues = useEntryIssues(id);
  const setValues = (what: string, value: unknown) =>
    edit((path) => ({ type: "set", path: [...path, "values"], value }), { what });
  if (Array.isArray(values)) {
    const items: readonly unknown[] = values;
    return (
      <div data-member="/values" className="flex flex-col gap-2">
        <ValuesTable id={id} values={items} />
        {type !== "Select" && (
          <Button
            size="small"
            className="self-start"
            onPress={() => setValues("Remove the values", undefined)}
          >
            Remove the values
          </Button>
        )}
      </div>
    );
  }
  if (values !== undefined)
    return <UnsupportedValue id={id} pointer="/values" label="Values" value={values} issues={issues} />;
  if (type !== "Select") return null;
  return (
    <div data-member="/values" className="flex flex-col items-start gap-1.5">
      <span className="text-small font-medium text-ink">Values</span>
      <IssueLines issues={issuesAt(issues, "/values")} />
      <Button size="small" onPress={() => setValues("Add a value", [{ ...BLANK_VALUE }])}>
        Add a value
      </Button>
    </div>
  );
}

interface ValuesTableProps {
  /** The entry's id. */
  id: string;
  values: readonly unknown[];
}

/** Rows of text and value to type, paste and drag. */
function ValuesTable({ id, values }: ValuesTableProps) {
  const rows = useRows(values);
  const edit = useValuesEdit(id);
  const all = useEntryIssues(id);
  const issues = useMemo(() => issuesAt(all, "/values"), [all]);
  const [pasteResult, setPasteResult] = useState("");
  // Typing must not wait for the list; the cells read the newest rows from the context.
  const listed = useDeferredValue(rows);
  const context = useMemo(() => {
    const byId = new Map(rows.map((row) => [row.id, row]));
    return { entryId: id, rows: byId, count: rows.length, issues, setPasteResult };
  }, [id, rows, issues]);
  const isFull = rows.length >= MANIFEST_LIMITS.values;
  return (
    <>
      <div className="flex items-baseline gap-2 text-small font-medium text-ink">
        Values
        <span className="text-xs font-normal text-ink-faint">
          {isFull ? `${rows.length} of at most ${MANIFEST_LIMITS.values}` : rows.length}
        </span>
      </div>
      <div className="overflow-hidden rounded-field border border-line-strong bg-surface shadow-low">
        <div
          aria-hidden
          className="flex gap-1 border-b border-line bg-subtle py-1 pr-9 pl-7 text-xs text-ink-faint"
        >
          <span className="flex-1 px-2">Text</span>
          <span className="flex-1 px-2">Value</span>
        </div>
        <ValuesContext value={context}>
          <ValuesGrid id={id} rows={listed} />
        </ValuesContext>
      </div>
      <ValueIssues issues={issues} />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="small"
          isDisabled={isFull}
          onPress={() => {
            edit.add(rows.length);
            focusCell(id, rows.length, "text");
          }}
        >
          <Plus aria-hidden className="size-3.5" />
          Add a value
        </Button>
      </div>
      <p className="text-small leading-5 text-ink-faint">
        {pasteResult ||
          "Customers see the text; the app gets the value, which is derived from the text if you leave it empty. Paste lines or two spreadsheet columns into any cell."}
      </p>
    </>
  );
}

const MAX_VISIBLE_ROWS = 10;

const ValuesGrid = memo(function ValuesGrid({ id, rows }: { id: string; rows: readonly ValueRow[] }) {
  const { move } = useValuesEdit(id);
  const dragAndDropHooks = useValueDrag(rows, move);
  const height = Math.min(Math.max(rows.length, 1), MAX_VISIBLE_ROWS) * valueRowHeight();
  const moveFrom = (from: number, to: number) => {
    const row = rows.find(({ index }) => index === from);
    if (row !== undefined) move(row, to);
  };
  return (
    <TouchOrder onMove={moveFrom}>
      <VirtualList count={rows.length} rowSize={valueRowHeight()} height={height}>
        <GridList
          aria-label="Values"
          items={rows}
          selectionMode="none"
          keyboardNavigationBehavior="tab"
          disallowTypeAhead
          dragAndDropHooks={dragAndDropHooks}
          data-values-of={id}
          style={{ height }}
          className="overflow-y-auto overscroll-contain outline-none"
        >
          {(row) => (
            <GridListItem
              id={row.id}
              data-index={row.index}
              textValue={formatValue(row.text) || `Value ${row.index + 1}`}
              className="group flex h-10 items-center gap-1 border-b border-line pr-1 pl-0.5 focus-visible:-outline-offset-2 dragging:opacity-50"
            >
              <ValueCells rowId={row.id} />
            </GridListItem>
          )}
        </GridList>
      </VirtualList>
    </TouchOrder>
  );
});

function useRows(values: readonly unknown[]): readonly ValueRow[] {
  const [kept, setKept] = useState(() => ({ values, rows: keepRows([], values) }));
  if (kept.values === values) return kept.rows;
  const rows = keepRows(kept.rows, values);
  setKept({ values, rows });
  return rows;
}

function useValueDrag(rows: readonly ValueRow[], move: (row: ValueRow, to: number) => void) {
  const { dragAndDropHooks } = useDragAndDrop<ValueRow>({
    getItems: (_, items) =>
      items.map((row) => ({ "manifest-value": row.id, "text/plain": formatValue(row.text) })),
    getAllowedDropOperations: () => ["move"],
    acceptedDragTypes: ["manifest-value"],
    onReorder: ({ keys, target }) => {
      const moved = rows.find(({ id }) => keys.has(id));
      const index = rows.findIndex(({ id }) => id === target.key);
      if (moved !== undefined) move(moved, target.dropPosition === "after" ? index + 1 : index);
    },
    renderDropIndicator: dropLine,
    renderDragPreview: ([item]) => <DragPreview>{item?.["text/plain"] || "Value"}</DragPreview>,
  });
  return dragAndDropHooks;
}

const MAX_ISSUES = 5;

/** Prefixes each issue with its row: "Row 3: …". */
function ValueIssues({ issues }: { issues: readonly EntryIssue[] }) {
  const more = issues.length - MAX_ISSUES;
  return (
    <>
      <IssueLines issues={issues.slice(0, MAX_ISSUES).map(addRowNumber)} />
      {more > 0 && <p className="text-small leading-5 text-ink-faint">and {more} more</p>}
    </>
  );
}

function addRowNumber({ issue, pointer }: EntryIssue): EntryIssue {
  const row = /^\/values\/(\d+)/.exec(pointer)?.[1];
  if (row === undefined) return { issue, pointer };
  return { issue: { ...issue, message: `Row ${Number(row) + 1}: ${issue.message}` }, pointer };
}
