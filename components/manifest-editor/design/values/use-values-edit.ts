"use client";

import { MANIFEST_LIMITS } from "@/lib/contract/manifest";
import { getMember, type Path } from "@/lib/domain/json-text/json-value";
import { useEditorStore } from "../../model/use-editor";
import { findEntry } from "../fields/entry-form";
import { shortText } from "../list/entry-texts";
import { parsePastedValues, type SelectValue } from "./paste-values";
import type { ValueRow } from "./value-rows";

export type ValueColumn = "text" | "value";

/** The edits of a Select's values. They look up where the list is at the time. */
export function useValuesEdit(id: string) {
  const store = useEditorStore();

  function current(): { list: Path; items: readonly unknown[] } | undefined {
    const entry = findEntry(store.state().outline.entries, id);
    const items = getMember(entry?.value, "values");
    return entry === undefined || !Array.isArray(items)
      ? undefined
      : { list: [...entry.path, "values"], items };
  }

  function write(row: ValueRow, column: ValueColumn, text: string, key: string = column): void {
    const at = current();
    if (at === undefined) return;
    const merge = `${id}/values/${row.id}/${key}`;
    store.edit(
      { type: "set", path: [...at.list, row.index, column], value: text },
      { what: `Change ${column} of a value`, merge },
    );
  }

  function add(index: number): void {
    const at = current();
    if (at === undefined) return;
    store.edit(
      { type: "insert", list: at.list, index, value: { text: "", value: "" } },
      { what: "Add a value" },
    );
  }

  function remove(row: ValueRow): void {
    const at = current();
    if (at === undefined) return;
    store.edit(
      { type: "remove", list: at.list, index: row.index },
      { what: `Delete value "${shortText(row.text)}"` },
    );
  }

  /** Before the one that is at `to` now. */
  function move(row: ValueRow, to: number): void {
    const at = current();
    if (at === undefined || to === row.index || to === row.index + 1) return;
    const before = shortText(getMember(at.items[to - 1], "text"));
    const where = to === 0 ? "to the top" : `after "${before}"`;
    store.edit(
      { type: "move", list: at.list, from: [row.index], to },
      { what: `Move value "${shortText(row.text)}" ${where}` },
    );
  }

  /** What was pasted goes after the row, or in its place when that is empty. Answers what happened, in a sentence or two. */
  function paste(row: ValueRow, text: string): string {
    const at = current();
    if (at === undefined) return "";
    const isBlank = row.isRecord && !row.text && !row.value;
    const taken = at.items
      .map((item) => getMember(item, "value"))
      .filter((value) => typeof value === "string");
    const room = MANIFEST_LIMITS.values - at.items.length + (isBlank ? 1 : 0);
    const { values, derived, hasMore } = parsePastedValues(text, isBlank ? taken.filter(Boolean) : taken);
    const pasted = values.slice(0, Math.max(room, 0));
    // One key for all of them: one undo takes the paste back. Its time tells one paste from the next.
    const note = { what: countOf(pasted.length, "Paste"), merge: `${id}/paste/${Date.now()}` };
    pasted.forEach((value, place) => {
      if (isBlank && place === 0) {
        store.edit({ type: "assign", path: [...at.list, row.index], members: { ...value } }, note);
      } else {
        const index = row.index + place + (isBlank ? 0 : 1);
        store.edit({ type: "insert", list: at.list, index, value: { ...value } }, note);
      }
    });
    const sentences = [
      `${pasted.length === 1 ? "1 value" : `${pasted.length} values`} pasted.`,
      ...(pasted.length < values.length ? [leftOut(values, pasted)] : []),
      ...(derived > 0 ? ["Values were made from the texts: check them."] : []),
      ...(hasMore ? ["Only the first two columns were taken."] : []),
    ];
    store.announce(sentences.join(" "));
    return sentences.join(" ");
  }

  return { write, add, remove, move, paste };
}

function leftOut(values: readonly SelectValue[], pasted: readonly SelectValue[]): string {
  return `${values.length - pasted.length} were left out: a Select offers at most ${MANIFEST_LIMITS.values}.`;
}

function countOf(count: number, verb: string): string {
  return `${verb} ${count === 1 ? "1 value" : `${count} values`}`;
}
