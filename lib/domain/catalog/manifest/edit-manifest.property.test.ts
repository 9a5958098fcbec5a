import fc from "fast-check";
import { expect, test } from "vitest";
import { anyEditSeed, anyManifestText, editOf } from "@/tests/manifests/manifest-arbitrary";
import { NO_HISTORY, recordChange, redoChange, undoChange } from "../../platform/json-text/change-history";
import { editText, type JsonEdit, orderAfterMove } from "../../platform/json-text/edit-text";
import { getMember, isRecord, type Path, valueAt } from "../../platform/json-text/json-value";
import type { Outline } from "./entry";
import { editManifest, outlineManifest } from "./outline-manifest";

const anyEdits = fc.array(anyEditSeed, { minLength: 1, maxLength: 12 });
const anyFewEdits = fc.array(anyEditSeed, { minLength: 1, maxLength: 4 });

/** Every outline on the way, the first one first, each with the edit that led there. */
function walk(text: string, seeds: readonly Parameters<typeof editOf>[0][]) {
  let outline = outlineManifest(text);
  return seeds.flatMap((seed) => {
    if (outline.blocked.length > 0) return [];
    const edit = editOf(seed, outline.entries);
    const before = outline;
    outline = editManifest(before, edit);
    return [{ before, edit, after: outline }];
  });
}

test("undoing any edits restores the text byte for byte, and redo repeats them", () => {
  fc.assert(
    fc.property(anyManifestText, anyEdits, fc.boolean(), (text, seeds, merges) => {
      const steps = walk(text, seeds);
      let history = NO_HISTORY;
      steps.forEach(({ before, after }, index) => {
        const note = { what: "edit", time: index * 400, ...(merges ? { merge: "same field" } : {}) };
        history = recordChange(history, before.text, after.text, note);
      });
      const last = steps.at(-1)?.after.text ?? text;
      let now = last;
      const seen = [now];
      for (let step = undoChange(history, now); step !== undefined; step = undoChange(history, now)) {
        ({ text: now, history } = step);
        seen.unshift(now);
      }
      expect(now).toBe(text);
      const known = new Set([text, ...steps.map(({ after }) => after.text)]);
      expect(seen.filter((each) => !known.has(each))).toEqual([]);
      for (let step = redoChange(history, now); step !== undefined; step = redoChange(history, now)) {
        ({ text: now, history } = step);
        seen.shift();
        expect(now).toBe(seen[0]);
      }
      expect(now).toBe(last);
    }),
    { numRuns: 150 },
  );
});

test("an edit changes the value it names and keeps all others and the order of keys, including unknown ones", () => {
  fc.assert(
    fc.property(anyManifestText, anyFewEdits, (text, seeds) => {
      for (const { before, edit, after } of walk(text, seeds)) {
        const expected = applyTo(JSON.parse(before.text), edit);
        expect(JSON.stringify(JSON.parse(after.text))).toBe(JSON.stringify(expected));
      }
    }),
    { numRuns: 300 },
  );
});

test("an edit leaves every byte outside the edited value unchanged", () => {
  fc.assert(
    fc.property(anyManifestText, anyFewEdits, (text, seeds) => {
      for (const { before, edit, after } of walk(text, seeds)) {
        if (after.blocked.length > 0) continue;
        expect(sourcesLeft(after, before)).toEqual(sourcesLeft(before, after));
        const path = edit.type === "set" || edit.type === "assign" ? edit.path : edit.list;
        const entry = before.entries.find((each) => each.path.every((part, at) => path[at] === part));
        if (entry === undefined || (edit.type === "set" && path.length === entry.path.length)) continue;
        expect(after.text.startsWith(before.text.slice(0, entry.offset))).toBe(true);
        expect(after.text.endsWith(before.text.slice(entry.offset + entry.length))).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

test("an outline after an edit equals the outline of its text, and reuses what did not change", () => {
  fc.assert(
    fc.property(anyManifestText, anyFewEdits, (text, seeds) => {
      for (const { before, edit, after } of walk(text, seeds)) {
        expect(after.text).toBe(editText(before.text, edit));
        const fresh = outlineManifest(after.text);
        expect(withoutIds(after)).toEqual(withoutIds(fresh));
        expect(new Set(after.entries.map(({ id }) => id)).size).toBe(after.entries.length);
        for (const entry of after.entries) {
          const earlier = before.entries.find(({ id }) => id === entry.id);
          if (earlier === undefined || sourceOf(before, earlier) !== sourceOf(after, entry)) continue;
          expect(entry.value).toBe(earlier.value);
          if (entry.offset === earlier.offset && entry.index === earlier.index) expect(entry).toBe(earlier);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test("writing the same value changes no byte", () => {
  fc.assert(
    fc.property(anyManifestText, (text) => {
      const outline = outlineManifest(text);
      const edits: JsonEdit[] = [
        { type: "set", path: [], value: JSON.parse(text) },
        ...outline.entries.map(({ path, value }): JsonEdit => ({ type: "set", path, value })),
        ...outline.entries.map(({ path }): JsonEdit => ({
          type: "set",
          path: [...path, "none"],
          value: undefined,
        })),
      ];
      for (const edit of edits) {
        expect(editText(text, edit)).toBe(text);
        if (edit.type === "set" && edit.path.length > 0) expect(editManifest(outline, edit)).toBe(outline);
      }
    }),
    { numRuns: 100 },
  );
});

function withoutIds({ text, entries, name, version, blocked }: Outline) {
  return { text, name, version, blocked, entries: entries.map((entry) => ({ ...entry, id: "" })) };
}

function sourceOf({ entriesText }: Outline, { offset, length }: { offset: number; length: number }) {
  return entriesText.slice(offset, offset + length);
}

/** The sources of the entries that both have and whose values are the same, by id. */
function sourcesLeft(of: Outline, other: Outline): Map<string, string> {
  const values = new Map(other.entries.map(({ id, value }) => [id, value]));
  const kept = of.entries.filter(({ id, value }) => values.has(id) && values.get(id) === value);
  return new Map(kept.map((entry) => [entry.id, sourceOf(of, entry)] as const).sort());
}

/** The same edit on a value: what an edit of the text must come to. */
function applyTo(root: unknown, edit: JsonEdit): unknown {
  switch (edit.type) {
    case "set":
      return put(root, edit.path, edit.value);
    case "assign":
      return Object.entries(edit.members).reduce(
        (value, [key, member]) => put(value, [...edit.path, key], member),
        root,
      );
    case "insert": {
      const list = valueAt(root, edit.list);
      if (list === undefined) return put(root, edit.list, [edit.value]);
      return Array.isArray(list) ? put(root, edit.list, list.toSpliced(edit.index, 0, edit.value)) : root;
    }
    default: {
      const list = valueAt(root, edit.list);
      return Array.isArray(list) ? put(root, edit.list, listAfter(list, edit)) : root;
    }
  }
}

function listAfter(list: unknown[], edit: JsonEdit): unknown[] {
  if (edit.type === "move")
    return orderAfterMove(list.length, edit.from, edit.to).map((index) => list[index]);
  if (edit.type === "remove") return list.filter((_, index) => index !== edit.index);
  if (edit.type !== "duplicate") return list;
  const item = list[edit.index];
  const copy = Object.entries(edit.members).reduce((value, [key, member]) => put(value, [key], member), item);
  return list.toSpliced(edit.index + 1, 0, copy);
}

function put(value: unknown, path: Path, member: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return member === undefined ? value : member;
  if (Array.isArray(value) && typeof part === "number") {
    if (rest.length === 0 && member === undefined) return value.filter((_, index) => index !== part);
    return value.toSpliced(part, 1, put(value[part], rest, member));
  }
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return member === undefined ? value : put({}, path, member);
  if (getMember(value, String(part)) === undefined && member === undefined) return value;
  if (rest.length === 0 && member === undefined)
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== part));
  return { ...value, [part]: put(value[part], rest, member) };
}
