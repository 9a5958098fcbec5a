import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkDraft } from "@/lib/domain/catalog/manifest/check-manifest";
import type { Outline } from "@/lib/domain/catalog/manifest/entry";
import { getMember } from "@/lib/domain/platform/json-text/json-value";
import { APP, createEditorStore } from "./editor-store";
import {
  addEntry,
  duplicateEntry,
  entryTitle,
  moveEntries,
  moveEntryBy,
  removeEntry,
  removeHosts,
} from "./entry-actions";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const NAME = "acme/vin-lookup";
const field = (name: string, title = name) => ({ name, title, type: "Text" });
const manifest = (...fields: unknown[]) =>
  JSON.stringify({ name: NAME, version: "1.0.0", app: { fields } }, null, 2);

const check = (outline: Outline) => checkDraft(outline, NAME);

function given(text: string, loadCheck = async () => check) {
  const store = createEditorStore({ draft: { text }, issues: [] }, loadCheck);
  const entries = () => store.getState().outline.entries;
  const names = () => entries().map(({ value }) => getMember(value, "name"));
  const entry = (index: number) => {
    const found = entries()[index];
    if (found === undefined) throw new Error(`missing entry ${index}`);
    return found;
  };
  return { store, entries, names, entry };
}

test("each action is one named step; undoing all of them restores the text byte for byte", () => {
  const text = manifest(field("a", "A"), field("b", "B"), field("c", "C"));
  const { store, names, entry } = given(text);
  addEntry(store, "Select");
  addEntry(store, "webhook");
  duplicateEntry(store, entry(0));
  moveEntryBy(store, entry(0), 1);
  moveEntries(store, "setting", [0, 1], 5);
  removeEntry(store, entry(2));
  expect(store.getState().history.done.map(({ what }) => what)).toEqual([
    "Add Select setting",
    "Add webhook",
    'Duplicate "A"',
    'Move "A" down',
    "Move 2 entries down",
    'Delete "Choice"',
  ]);
  const after = store.getState().outline.text;
  while (store.getState().history.done.length > 0) store.undo();
  expect(store.getState().outline.text).toBe(text);
  while (store.getState().history.undone.length > 0) store.redo();
  expect(store.getState().outline.text).toBe(after);
  expect(names()).toContain("a2");
});

test("added, duplicated and restored entries are selected; removing one selects its neighbor", () => {
  const { store, entry, names } = given(manifest(field("a"), field("b"), field("c")));
  addEntry(store, "Text", 1);
  expect(names()).toEqual(["a", "text", "b", "c"]);
  expect(store.getState().selection).toBe(entry(1).id);
  duplicateEntry(store, entry(1));
  expect(store.getState().selection).toBe(entry(2).id);
  removeEntry(store, entry(2));
  expect(store.getState().selection).toBe(entry(2).id);
  expect(names()[2]).toBe("b");
  store.select(APP);
  store.undo();
  expect(store.getState().selection).toBe(entry(2).id);
});

test("unused hosts are removed in one step that can be undone, and none turns into any host", () => {
  const hosts = [
    { host: "a.example", purpose: "p" },
    { host: "b.example", purpose: "p", optional: true },
    { host: "c.example", purpose: "p" },
    { setting: "a.example", purpose: "p" },
  ];
  const text = JSON.stringify({ name: NAME, version: "1.0.0", core: { hosts } }, null, 2);
  const { store, entries } = given(text);
  expect(removeHosts(store, ["a.example", "b.example", "c.example", "gone.example"])).toBe(2);
  expect(entries().map(({ value }) => getMember(value, "host") ?? getMember(value, "setting"))).toEqual([
    "b.example",
    "a.example",
  ]);
  expect(store.getState().history.done.map(({ what }) => what)).toEqual(["Remove 2 unused hosts"]);
  expect(removeHosts(store, ["a.example"])).toBe(0);
  store.undo();
  expect(store.getState().outline.text).toBe(text);
  const all = given(JSON.stringify({ name: NAME, version: "1.0.0", core: { hosts: hosts.slice(0, 1) } }));
  removeHosts(all.store, ["a.example"]);
  expect(JSON.parse(all.store.getState().outline.text).core.hosts).toEqual([]);
});

test("a move is announced with the new position", () => {
  const { store, entry } = given(manifest(field("a", "A"), field("b", "B"), field("c", "C")));
  moveEntryBy(store, entry(0), 1);
  expect(store.getState().announcement).toBe('Move "A" down: position 2 of 3');
  expect(store.getState().history.done.at(-1)?.what).toBe('Move "A" down');
  moveEntries(store, "setting", [0, 1], 3);
  expect(store.getState().announcement).toBe("Move 2 entries down: positions 2 to 3 of 3");
});

test("moves that change nothing are not recorded", () => {
  const { store, entry } = given(manifest(field("a"), field("b"), field("c")));
  moveEntries(store, "setting", [1], 1);
  moveEntries(store, "setting", [1], 2);
  moveEntries(store, "setting", [0, 1], 1);
  moveEntries(store, "setting", [7], 0);
  moveEntryBy(store, entry(0), -1);
  moveEntryBy(store, entry(2), 1);
  expect(store.getState().history.done).toEqual([]);
  expect(store.getState().announcement).toBe('"c" is already last');
});

test("entries of any type have a title and can be copied, moved and removed", () => {
  const { store, entries, entry } = given(manifest(null, 7, "text", [], { title: 3 }, { title: " " }));
  expect(entries().map(entryTitle)).toEqual([
    "Setting 1",
    "Setting 2",
    "text",
    "Setting 4",
    "Setting 5",
    "Setting 6",
  ]);
  for (let index = 0; index < 6; index += 1) duplicateEntry(store, entry(index * 2));
  expect(entries()).toHaveLength(12);
  moveEntries(store, "setting", [11], 0);
  while (entries().length > 0) removeEntry(store, entry(0));
  expect(store.getState().selection).toBe(APP);
});

test("while the text is blocked, design edits are ignored, and typed text can be undone", () => {
  const text = manifest(field("a"));
  const { store, entries } = given(text);
  store.replaceText(text.slice(0, -3), { what: "Edit the text" });
  addEntry(store, "Text");
  expect(store.getState().outline.text).toBe(text.slice(0, -3));
  expect(entries()).toHaveLength(1);
  store.undo();
  expect(store.getState().outline.text).toBe(text);
});

test("issues follow the text after a pause, including another listing's name", async () => {
  const { store } = given(manifest(field("a")));
  expect(store.getState().issues).toEqual([]);
  const foreign = manifest(field("a"), field("a")).replace(NAME, "acme/other-app");
  store.replaceText(foreign, { what: "Edit the text" });
  expect(store.getState().issues).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  const codes = store.getState().issues.map(({ code, line }) => [code, line]);
  expect(codes[0]).toEqual(["WRONG_NAME", 2]);
  expect(codes.length).toBeGreaterThan(1);
  expect(store.getState().checkedText).toBe(foreign);
});

test("a validator that can't be loaded is tried again, and then checks the newest text", async () => {
  let isOnline = false;
  const { store } = given(manifest(field("a")), async () => {
    if (!isOnline) throw new Error("ChunkLoadError");
    return check;
  });
  store.replaceText(manifest(field("a"), field("a")), { what: "Edit the text" });
  await vi.advanceTimersByTimeAsync(200);
  expect(store.getState().issues).toEqual([]);
  isOnline = true;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(store.getState().issues.map(({ code }) => code)).toContain("DUPLICATE_NAME");
  expect(store.getState().checkedText).toBe(store.getState().outline.text);
});

test("a repeated message is announced again; keystrokes are not announced", () => {
  const { store } = given(manifest());
  addEntry(store, "Text");
  const first = store.getState().announcement;
  addEntry(store, "Text");
  expect(store.getState().announcement).not.toBe(first);
  expect(store.getState().announcement.trim()).toBe("Add Text setting");
  const path = ["app", "fields", 0, "title"];
  store.edit({ type: "set", path, value: "T" }, { what: "Change title", merge: "x/title" });
  expect(store.getState().announcement.trim()).toBe("Add Text setting");
});

test("a jump opens the entry in the design, or the text if that is open or blocked", () => {
  const { store, entry } = given(manifest(field("a"), field("b")));
  store.openTab("preview");
  store.jumpTo({ pointer: "/app/fields/1/name", line: 12, column: 5 });
  expect(store.getState()).toMatchObject({ tab: "design", selection: entry(1).id });
  store.openTab("json");
  store.jumpTo({ pointer: "/app/fields/10" });
  expect(store.getState()).toMatchObject({ tab: "json", selection: APP, jump: { count: 2 } });
});
