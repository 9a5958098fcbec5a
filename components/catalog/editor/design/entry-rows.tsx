"use client";

import { Package } from "lucide-react";
import { memo, useState } from "react";
import { Button, ButtonContext, type ItemDropTarget, useDragAndDrop } from "react-aria-components";
import { DragHandle, DragPreview, dropLine } from "@/components/ui/collections";
import { isSensitive } from "@/lib/contract/platform/manifest-terms";
import {
  type Entry,
  type EntryKind,
  type Ingredient,
  INGREDIENTS,
  toEntryKind,
} from "@/lib/domain/catalog/manifest/entry";
import { getMember } from "@/lib/domain/platform/json-text/json-value";
import { APP, type EditorState, useEditedListing, useEditor, useEditorStore } from "../model/editor-store";
import { addEntry, entryTitle, moveEntries } from "../model/entry-actions";
import { focusRow } from "../model/focus";
import { getEntryLabel } from "../model/entry-labels";
import { countText, formatValue, lifecycleLabel } from "../model/labels";
import { EntryMenu, useDesk } from "./desk";
import { isError, useEntryIssues } from "./entry-issues";

/** Their details are text for people. */
const PROSE: ReadonlySet<EntryKind> = new Set(["lifecycle", "permission", "host"]);

/** Rendered again only when the entry or its problems change. */
export const EntryRow = memo(function EntryRow({ row }: { row: RowEntry }) {
  const { icon: Icon, name } = getEntryLabel(row);
  const chips = getChips(row);
  return (
    <>
      <DragHandle className="cursor-grab opacity-60 group-hover:opacity-100 group-focus-visible:opacity-100" />
      <span className="sr-only">{name}</span>
      {/* With large text on a phone, the title needs its place. */}
      <span className="flex size-8 shrink-0 items-center justify-center rounded-field bg-subtle text-ink-soft group-selected:bg-surface group-selected:text-accent-text @max-[14rem]/list:hidden">
        <Icon aria-hidden className="size-4" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-2">
          <bdi className="truncate text-small leading-5 font-medium text-ink">{entryTitle(row)}</bdi>
          <ProblemCount id={row.id} />
        </span>
        <span className="flex min-w-0 items-center gap-x-2 text-xs leading-4 text-ink-faint">
          <bdi translate="no" className={PROSE.has(row.kind) ? "truncate" : "truncate font-mono"}>
            {getDetail(row)}
          </bdi>
          {chips.length > 0 && (
            <span className="min-w-0 truncate @min-[27.5rem]/list:hidden">{chips.join(" · ")}</span>
          )}
        </span>
      </span>
      <span className="hidden shrink-0 items-center gap-1 @min-[27.5rem]/list:flex">
        {chips.map((chip) => (
          <span
            key={chip}
            className="flex h-5 items-center rounded-full border border-line bg-surface px-2 text-xs text-ink-soft"
          >
            {chip}
          </span>
        ))}
      </span>
      {/* Without the row's context, which changes on every edit, the menu isn't rendered again. */}
      <ButtonContext value={null}>
        <EntryMenu id={row.id} kind={row.kind} title={entryTitle(row)} />
      </ButtonContext>
    </>
  );
});

/** The app itself: its name and version. */
export function AppRow() {
  const desk = useDesk();
  const listing = useEditedListing();
  const isSelected = useEditor(({ selection }) => selection === APP);
  const name = useEditor(({ outline }) => formatValue(outline.name));
  const version = useEditor(({ outline }) => formatValue(outline.version));
  return (
    <Button
      data-entry={APP}
      aria-current={isSelected ? "true" : undefined}
      onPress={() => desk.open(APP)}
      className={`flex min-h-13 w-full min-w-0 cursor-default items-center gap-3 rounded-card border border-line px-3 py-1.5 text-left shadow-low ${isSelected ? "bg-accent-soft" : "bg-surface hover:bg-hover"}`}
    >
      <span
        className={`flex size-8 shrink-0 items-center justify-center rounded-field ${isSelected ? "bg-surface text-accent-text" : "bg-subtle text-ink-soft"}`}
      >
        <Package aria-hidden className="size-4" />
        <span className="sr-only">App</span>
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <bdi className="truncate text-small leading-5 font-medium text-ink">{listing.title}</bdi>
          <ProblemCount id={APP} />
        </span>
        <bdi translate="no" className="block truncate font-mono text-xs leading-4 text-ink-faint">
          {name}
        </bdi>
      </span>
      <span translate="no" className="max-w-28 truncate font-mono text-xs text-ink-soft">
        {version}
      </span>
    </Button>
  );
}

function ProblemCount({ id }: { id: string }) {
  const issues = useEntryIssues(id).filter(({ issue }) => issue.severity !== "hint");
  if (issues.length === 0) return null;
  const errors = issues.filter(isError).length;
  const count = errors > 0 ? errors : issues.length;
  const label = countText(count, errors > 0 ? "problem" : "warning");
  return (
    <span
      title={label}
      className={`flex h-4.5 min-w-4.5 shrink-0 items-center justify-center gap-1 rounded-full px-1.5 text-tiny leading-none font-medium ${errors > 0 ? "bg-danger-soft text-danger" : "bg-warning-soft text-warning"}`}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      <span aria-hidden>{count}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** The name that the app uses, or what the app is called for. */
function getDetail({ kind, value }: RowEntry): string {
  switch (kind) {
    case "setting":
    case "mapping":
      return formatValue(getMember(value, "name"));
    case "webhook":
      return formatList(getMember(value, "events"));
    case "autofill":
      return formatList(getMember(value, "operations"));
    case "rater":
    case "endpoint":
      return formatValue(getMember(value, "path"));
    case "lifecycle":
      return lifecycleLabel(value) ?? "";
    case "permission":
    case "host":
      return formatValue(getMember(value, "purpose"));
  }
}

const MAX_LISTED = 20;

function formatList(value: unknown): string {
  if (!Array.isArray(value)) return formatValue(value);
  const more = value.length - MAX_LISTED;
  const listed = value.slice(0, MAX_LISTED).map(formatValue).join(", ");
  return more > 0 ? `${listed}, and ${more} more` : listed;
}

function getChips({ kind, value }: RowEntry): string[] {
  if (kind === "host") {
    const ports = getMember(value, "ports");
    const isOptional = getMember(value, "optional") === true;
    return [
      ...(Array.isArray(ports) ? [`${ports.length === 1 ? "Port" : "Ports"} ${formatList(ports)}`] : []),
      ...(isOptional ? ["Optional"] : []),
    ];
  }
  if (kind === "endpoint") return getMember(value, "access") === "public" ? ["Public"] : [];
  if (kind !== "setting" && kind !== "mapping") return [];
  const type = getMember(value, "type");
  const values = getMember(value, "values");
  const sensitive = isSensitive({
    type: type === "Password" ? "Password" : "Text",
    sensitive: getMember(value, "sensitive") === true,
  });
  return [
    ...(kind === "setting" && type === "Select" && Array.isArray(values)
      ? [countText(values.length, "value")]
      : []),
    ...(getMember(value, "required") === true ? ["Required"] : []),
    ...(kind === "setting" && sensitive ? ["Sensitive"] : []),
  ];
}

/** What a row shows of an entry. The same object until one of these members changes. */
export type RowEntry = Pick<Entry, "id" | "kind" | "index" | "value">;

/** Typing in one entry changes no other row, although the offsets of all following entries change. */
export function useEntryRows(kind: EntryKind): readonly RowEntry[] {
  const [select] = useState(() => createRowSelector(kind));
  return useEditor(select);
}

function createRowSelector(kind: EntryKind) {
  let seen: readonly Entry[] | undefined;
  let rows: readonly RowEntry[] = [];
  return ({ outline }: EditorState) => {
    if (outline.entries === seen) return rows;
    seen = outline.entries;
    const before = new Map(rows.map((row) => [row.id, row]));
    const next = seen
      .filter((entry) => entry.kind === kind)
      .map((entry) => reuseRow(before.get(entry.id), entry));
    const isSame = next.length === rows.length && next.every((row, index) => row === rows[index]);
    if (!isSame) rows = next;
    return rows;
  };
}

function reuseRow(row: RowEntry | undefined, { id, kind, index, value }: Entry): RowEntry {
  return row?.index === index && Object.is(row.value, value) ? row : { id, kind, index, value };
}

/** Moves entries within their list and inserts new ones from the palette, then focuses them. */
export function useEntryDrag(kind: EntryKind, rows: readonly RowEntry[]) {
  const store = useEditorStore();
  const dropIndex = ({ key, dropPosition }: ItemDropTarget) => {
    const index = rows.findIndex(({ id }) => id === key);
    return dropPosition === "after" ? index + 1 : index;
  };
  const insert = (types: ReadonlySet<string>, index: number) => {
    const ingredient = INGREDIENTS.find((each) => types.has(ingredientType(each)));
    if (ingredient === undefined) return;
    addEntry(store, ingredient, index);
    focusRow(store, store.getState().selection);
  };
  const { dragAndDropHooks } = useDragAndDrop<RowEntry>({
    getItems: (_, items) =>
      items.map((row) => ({ [entryType(kind)]: row.id, "text/plain": entryTitle(row) })),
    getAllowedDropOperations: () => ["move"],
    acceptedDragTypes: [entryType(kind), paletteType(kind)],
    onReorder: ({ keys, target }) => {
      const from = rows.filter(({ id }) => keys.has(id)).map(({ index }) => index);
      moveEntries(store, kind, from, dropIndex(target));
      const [moved] = keys;
      if (typeof moved === "string") focusRow(store, moved);
    },
    onInsert: ({ items, target }) => {
      for (const item of items) if (item.kind === "text") insert(item.types, dropIndex(target));
    },
    onRootDrop: ({ items }) => {
      for (const item of items) if (item.kind === "text") insert(item.types, rows.length);
    },
    renderDropIndicator: dropLine,
    renderDragPreview: ([item]) => <DragPreview>{item?.["text/plain"]}</DragPreview>,
  });
  return dragAndDropHooks;
}

/** The ingredient is part of a type, because a drop can read types at once but data only later. */
export function createDragItem(ingredient: Ingredient, name: string): Record<string, string> {
  return { [paletteType(toEntryKind(ingredient))]: name, [ingredientType(ingredient)]: name };
}

function entryType(kind: EntryKind): string {
  return `manifest-entry-${kind}`;
}

function paletteType(kind: EntryKind): string {
  return `manifest-palette-${kind}`;
}

/** Browsers convert types to lower case. */
function ingredientType(ingredient: Ingredient): string {
  return `manifest-ingredient-${ingredient.toLowerCase()}`;
}
