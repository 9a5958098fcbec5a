"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { TextArea } from "@/components/ui/forms/fields";
import type { JsonEdit } from "@/lib/domain/platform/json-text/edit-text";
import type { Path } from "@/lib/domain/platform/json-text/json-value";
import { type EntryIssue, getNotes, UnsupportedValue, useEntryIssues } from "./entry-issues";
import { useEntryEdit } from "./member-fields";

interface PatternsFieldProps {
  id: string;
  member: string;
  label: string;
  hint: string;
  value: unknown;
  suggestions: readonly string[];
}

/** A list of patterns, one per line. */
export function PatternsField({ id, member, label, hint, value, suggestions }: PatternsFieldProps) {
  const edit = useEntryEdit(id);
  const pointer = `/${member}`;
  const issues = useEntryIssues(id).map((issue) => addLineNumber(issue, pointer));
  // Only the field has blank lines. The typed text is replaced when something else changes the manifest.
  const [typed, setTyped] = useState("");
  if (value !== undefined && !isStringArray(value))
    return <UnsupportedValue id={id} pointer={pointer} label={label} value={value} issues={issues} />;
  const patterns = value ?? [];
  const text = splitLines(typed).join("\n") === patterns.join("\n") ? typed : patterns.join("\n");

  function change(next: string): void {
    setTyped(next);
    const lines = splitLines(next);
    edit(
      (path) =>
        value === undefined
          ? { type: "set", path: [...path, member], value: lines }
          : listEdit([...path, member], patterns, lines),
      { what: `Change ${label.toLowerCase()}`, merge: `${id}${pointer}` },
    );
  }

  const unused = suggestions.filter((pattern) => !patterns.includes(pattern));
  return (
    <div data-member={pointer} className="flex flex-col gap-2">
      <TextArea
        label={label}
        isRequired
        mono
        rows={Math.min(Math.max(patterns.length + 1, 3), 12)}
        value={text}
        onChange={change}
        {...getNotes(issues, pointer, hint)}
      />
      {unused.length > 0 && (
        <div className="flex flex-wrap gap-1.5">
          {unused.map((pattern) => (
            <Button
              translate="no"
              key={pattern}
              aria-label={`Add ${pattern}`}
              onPress={() => change([...patterns, pattern].join("\n"))}
              className="flex h-6 cursor-pointer items-center gap-1 rounded-full border border-line bg-surface px-2 font-mono text-xs text-ink-soft hover:bg-hover hover:text-ink"
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

function splitLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** "Line 2: Use dotted names …" */
function addLineNumber({ issue, pointer }: EntryIssue, list: string): EntryIssue {
  const index = pointer.startsWith(`${list}/`)
    ? /^\d+$/.exec(pointer.slice(list.length + 1))?.[0]
    : undefined;
  if (index === undefined) return { issue, pointer };
  return { issue: { ...issue, message: `Line ${Number(index) + 1}: ${issue.message}` }, pointer };
}

/** The smallest edit that turns one list of strings into another, which keeps the formatting of the rest. Undefined if they are equal. */
export function listEdit(
  list: Path,
  before: readonly string[],
  after: readonly string[],
): JsonEdit | undefined {
  const length = Math.min(before.length, after.length);
  let at = 0;
  while (at < length && before[at] === after[at]) at += 1;
  let tail = 0;
  while (tail < length - at && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const removed = before.length - at - tail;
  const added = after.length - at - tail;
  if (removed === 0 && added === 0) return undefined;
  if (removed === 1 && added === 1) return { type: "set", path: [...list, at], value: after[at] };
  if (removed === 0 && added === 1) return { type: "insert", list, index: at, value: after[at] };
  if (removed === 1 && added === 0) return { type: "remove", list, index: at };
  return { type: "set", path: list, value: [...after] };
}
