"use client";

import { MANIFEST_LIMITS } from "@/lib/contract/manifest-terms";
import type { JsonEdit } from "@/lib/domain/json-text/edit-text";
import { getMember, type Path } from "@/lib/domain/json-text/json-value";
import { isDerivedValue } from "@/lib/domain/manifest/outline/follow-text";
import { BLANK_VALUE } from "@/lib/domain/manifest/outline/new-entry";
import type { EditNote } from "../../model/editor-store";
import { findEntry } from "../../model/entry-actions";
import { countText, formatValue } from "../../model/labels";
import { useEditedListing, useEditorStore } from "../../model/use-editor";
import type { ValueColumn } from "../desk/focus";
import { deriveFreeValue, parsePastedValues } from "./paste-values";
import type { ValueRow } from "./value-rows";

/** Edits of a Select's values, at the list's current path. */
export function useValuesEdit(id: string) {
  const store = useEditorStore();
  const { published } = useEditedListing();

  function current(): { list: Path; items: readonly unknown[] } | undefined {
    const entry = findEntry(store.getState().outline.entries, id);
    const items = getMember(entry?.value, "values");
    return entry === undefined || !Array.isArray(items)
      ? undefined
      : { list: [...entry.path, "values"], items };
  }

  function edit(createEdit: (list: Path) => JsonEdit, note: EditNote): void {
    const at = current();
    if (at !== undefined) store.edit(createEdit(at.list), note);
  }

  /** A value that was made from its text follows it, until the app is published with the setting. */
  function write(row: ValueRow, column: ValueColumn, text: string): void {
    const followsText = column === "text" && !isPublished() && isDerivedValue(row.value, row.text);
    const members = followsText ? { text, value: deriveFree(row, text) } : { [column]: text };
    edit((list) => ({ type: "assign", path: [...list, row.index], members }), {
      what: `Change ${column} of a value`,
      merge: `${id}/values/${row.id}/${column}`,
    });
  }

  /** Makes an empty value from its text. `column`: the cell that was just edited, to be undone with it. */
  function fillValue(row: ValueRow, column: ValueColumn): void {
    if (typeof row.text !== "string" || row.text === "" || row.value) return;
    const value = deriveFree(row, row.text);
    edit((list) => ({ type: "assign", path: [...list, row.index], members: { value } }), {
      what: `Change ${column} of a value`,
      merge: `${id}/values/${row.id}/${column}`,
    });
  }

  function deriveFree(row: ValueRow, text: string): string {
    if (text.trim() === "") return "";
    const others = current()?.items.filter((_, index) => index !== row.index) ?? [];
    const taken = others.map((item) => getMember(item, "value")).filter((value) => typeof value === "string");
    return deriveFreeValue(text, taken);
  }

  function isPublished(): boolean {
    const name = getMember(findEntry(store.getState().outline.entries, id)?.value, "name");
    return published?.names?.setting.some((each) => each === name) === true;
  }

  function add(index: number): void {
    edit((list) => ({ type: "insert", list, index, value: { ...BLANK_VALUE } }), {
      what: "Add a value",
    });
  }

  function remove(row: ValueRow): void {
    edit((list) => ({ type: "remove", list, index: row.index }), {
      what: `Delete value "${formatValue(row.text)}"`,
    });
  }

  /** Moves the row before the one that is now at `to`. */
  function move(row: ValueRow, to: number): void {
    if (to === row.index || to === row.index + 1) return;
    const before = formatValue(getMember(current()?.items[to - 1], "text"));
    edit((list) => ({ type: "move", list, from: [row.index], to }), {
      what: `Move value "${formatValue(row.text)}" ${to === 0 ? "to the top" : `after "${before}"`}`,
    });
  }

  /** Inserts the pasted values after the row, or in place of a blank row. Returns what happened. */
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
    const count = countText(pasted.length, "value");
    // One key, so that one undo reverts the paste. The time distinguishes it from the next paste.
    const note = { what: `Paste ${count}`, merge: `${id}/paste/${Date.now()}` };
    pasted.forEach((value, nth) => {
      if (isBlank && nth === 0) {
        store.edit({ type: "assign", path: [...at.list, row.index], members: { ...value } }, note);
      } else {
        const index = row.index + nth + (isBlank ? 0 : 1);
        store.edit({ type: "insert", list: at.list, index, value: { ...value } }, note);
      }
    });
    const left = values.length - pasted.length;
    const message = [
      `${count} pasted.`,
      ...(left > 0 ? [`${left} left out: a Select can have at most ${MANIFEST_LIMITS.values}.`] : []),
      ...(derived > 0 ? ["Some values were derived from their texts. Check them."] : []),
      ...(hasMore ? ["Only the first two columns were used."] : []),
    ].join(" ");
    store.announce(message);
    return message;
  }

  return { write, fillValue, add, remove, move, paste };
}
