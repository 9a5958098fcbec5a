"use client";

import { memo } from "react";
import { Button, ButtonContext } from "react-aria-components";
import { DragHandle } from "@/components/ui/sortable-list";
import { entryTitle } from "../../model/entry-actions";
import { useEditedListing, useEditor } from "../../model/use-editor";
import { isError, issuesByEntry, NO_ISSUES } from "../desk/entry-issues";
import { EntryMenu } from "../desk/row-menu";
import { chipsOf, detailOf, shortText } from "./entry-texts";
import { lookOf } from "../../model/labels";
import type { RowEntry } from "./entry-rows";
import { Package } from "lucide-react";
import { APP } from "../../model/editor-store";
import { useDesk } from "../desk/desk";

/** What stands in a row; drawn again only when the entry or its problems change. */
export const EntryRow = memo(function EntryRow({ row }: { row: RowEntry }) {
  const { icon: Icon, name: look } = lookOf(row);
  const detail = detailOf(row);
  const chips = chipsOf(row);
  return (
    <>
      <DragHandle className="cursor-grab opacity-60 group-hover:opacity-100 group-focus-visible:opacity-100" />
      <span className="flex size-8 shrink-0 items-center justify-center rounded-field bg-subtle text-ink-soft group-selected:bg-surface group-selected:text-accent-text">
        <Icon aria-hidden className="size-4" />
        <span className="sr-only">{look}</span>
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-2">
          <bdi className="truncate text-[13px] leading-5 font-medium text-ink">{entryTitle(row)}</bdi>
          <ProblemCount id={row.id} />
        </span>
        <span className="flex min-w-0 items-center gap-x-2 text-xs leading-4 text-ink-faint">
          <bdi className={row.kind === "lifecycle" ? "truncate" : "truncate font-mono"}>{detail}</bdi>
          {chips.length > 0 && (
            <span className="shrink-0 truncate @min-[440px]/list:hidden">{chips.join(" · ")}</span>
          )}
        </span>
      </span>
      <span className="hidden shrink-0 items-center gap-1 @min-[440px]/list:flex">
        {chips.map((chip) => (
          <span
            key={chip}
            className="flex h-5 items-center rounded-full border border-line bg-surface px-2 text-xs text-ink-soft"
          >
            {chip}
          </span>
        ))}
      </span>
      {/* Kept from what the row tells its buttons at each change, it need not be drawn again with the row. */}
      <ButtonContext value={null}>
        <EntryMenu id={row.id} kind={row.kind} title={entryTitle(row)} />
      </ButtonContext>
    </>
  );
});

export function ProblemCount({ id }: { id: string }) {
  const errors = useEditor((state) => (issuesByEntry(state).get(id) ?? NO_ISSUES).filter(isError).length);
  const all = useEditor((state) => (issuesByEntry(state).get(id) ?? NO_ISSUES).length);
  if (all === 0) return null;
  const words = errors > 0 ? count(errors, "problem") : count(all, "warning");
  return (
    <span
      title={words}
      className={`flex h-4.5 min-w-4.5 shrink-0 items-center justify-center gap-1 rounded-full px-1.5 text-[11px] leading-none font-medium ${errors > 0 ? "bg-danger-soft text-danger" : "bg-warning-soft text-warning"}`}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      <span aria-hidden>{errors > 0 ? errors : all}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

function count(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}

/** The app itself: name and version. */
export function AppRow() {
  const desk = useDesk();
  const listing = useEditedListing();
  const isSelected = useEditor(({ selection }) => selection === APP);
  const name = useEditor(({ outline }) => shortText(outline.name));
  const version = useEditor(({ outline }) => shortText(outline.version));
  return (
    <Button
      data-entry={APP}
      aria-current={isSelected ? "true" : undefined}
      onPress={() => desk.open(APP)}
      className={`flex min-h-13 w-full min-w-0 cursor-default items-center gap-3 rounded-card border border-line px-3 py-1.5 text-left shadow-low focus-visible:outline-2 focus-visible:outline-accent-text ${isSelected ? "bg-accent-soft" : "bg-surface hover:bg-hover"}`}
    >
      <span
        className={`flex size-8 shrink-0 items-center justify-center rounded-field ${isSelected ? "bg-surface text-accent-text" : "bg-subtle text-ink-soft"}`}
      >
        <Package aria-hidden className="size-4" />
        <span className="sr-only">App</span>
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <bdi className="truncate text-[13px] leading-5 font-medium text-ink">{listing.title}</bdi>
          <ProblemCount id={APP} />
        </span>
        <bdi className="block truncate font-mono text-xs leading-4 text-ink-faint">{name}</bdi>
      </span>
      <span className="max-w-28 truncate font-mono text-xs text-ink-soft">{version}</span>
    </Button>
  );
}
