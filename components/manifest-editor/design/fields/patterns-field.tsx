"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { TextArea } from "@/components/ui/text-fields";
import { useEntryEdit, useEntryIssues } from "./entry-form";
import { issuesAt, type EntryIssue } from "../desk/entry-issues";
import { notesOf } from "./field-notes";
import { listEdit } from "./list-edit";
import { OddMember } from "./field-notes";

interface PatternsFieldProps {
  id: string;
  member: string;
  label: string;
  hint: string;
  value: unknown;
  suggestions: readonly string[];
}

/** A list of patterns as lines. */
export function PatternsField({ id, member, label, hint, value, suggestions }: PatternsFieldProps) {
  const edit = useEntryEdit(id);
  const place = `/${member}`;
  const issues = useEntryIssues(id).map((issue) => withLine(issue, place));
  // Blank lines are the field's alone; what it shows gives way as soon as the manifest says something else.
  const [typed, setTyped] = useState("");
  if (value !== undefined && !isTexts(value)) {
    return <OddMember id={id} place={place} label={label} value={value} issues={issuesAt(issues, place)} />;
  }
  const patterns = value ?? [];
  const text = linesOf(typed).join("\n") === patterns.join("\n") ? typed : patterns.join("\n");

  function change(next: string): void {
    setTyped(next);
    const lines = linesOf(next);
    edit(
      (path) =>
        value === undefined
          ? { type: "set", path: [...path, member], value: lines }
          : listEdit([...path, member], patterns, lines),
      { what: `Change ${label.toLowerCase()}`, merge: `${id}${place}` },
    );
  }

  const left = suggestions.filter((pattern) => !patterns.includes(pattern));
  return (
    <div data-member={place} className="flex flex-col gap-2">
      <TextArea
        label={label}
        isRequired
        mono
        rows={Math.min(Math.max(patterns.length + 1, 3), 12)}
        value={text}
        onChange={change}
        {...notesOf(issues, place, hint)}
      />
      {left.length > 0 && (
        <div className="flex flex-wrap gap-1.5">
          {left.map((pattern) => (
            <Button
              key={pattern}
              aria-label={`Add ${pattern}`}
              onPress={() => change([...patterns, pattern].join("\n"))}
              className="flex h-6 cursor-pointer items-center gap-1 rounded-full border border-line bg-surface px-2 font-mono text-xs text-ink-soft hover:bg-hover hover:text-ink focus-visible:outline-2 focus-visible:outline-accent-text"
            >
              <Plus aria-hidden className="size-3" />
              {pattern}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** "Line 2: Use dotted names …" */
function withLine({ issue, place }: EntryIssue, list: string): EntryIssue {
  const index = place.startsWith(`${list}/`) ? /^\d+$/.exec(place.slice(list.length + 1))?.[0] : undefined;
  if (index === undefined) return { issue, place };
  return { issue: { ...issue, message: `Line ${Number(index) + 1}: ${issue.message}` }, place };
}
