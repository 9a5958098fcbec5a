"use client";

import { Package } from "lucide-react";
import { Button } from "react-aria-components";
import { APP } from "../editor-store";
import { useEditedListing, useEditor } from "../use-editor";
import { useDesk } from "./desk";
import { ProblemCount } from "./entry-row";
import { shortText } from "./entry-texts";

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
