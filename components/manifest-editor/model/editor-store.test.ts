import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { getMember } from "@/lib/domain/json-text/json-value";
import { APP, checkDraft, createEditorStore } from "./editor-store";
import { addEntry, duplicateEntry, entryTitle, moveEntries, moveEntryBy, removeEntry } from "./entry-actions";

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

function given(text: string) {
  const store = createEditorStore(text, (outline) => checkDraft(outline, NAME));
  const entries = () => store.state().outline.entries;
  const names = () => entries().map(({ value }) => getMember(value, "name"));
  const entry = (index: number) => {
    const found = entries()[index];
    if (found === undefined) throw new Error(`there is no entry ${index}`);
    return found;
  };
  return { store, entries, names, entry };
}

test("each action is one step with a name; undoing all of them gives the text back byte by byte", () => {
  const text = manifest(field("a", "A"), field("b", "B"), field("c", "C"));
  const { store, names, entry } = given(text);
  addEntry(store, "Select");
  addEntry(store, "webhook");
  duplicateEntry(store, entry(0));
  moveEntryBy(store, entry(0), 1);
  moveEntries(store, "setting", [0, 1], 5);
  removeEntry(store, entry(2));
  expect(store.state().history.done.map(({ what }) => what)).toEqual([
    "Add Select setting",
    "Add webhook",
    'Duplicate "A"',
    'Move "A" down',
    "Move 2 entries down",
    'Delete "Choice"',
  ]);
  const after = store.state().outline.text;
  while (store.state().history.done.length > 0) store.undo();
  expect(store.state().outline.text).toBe(text);
  while (store.state().history.undone.length > 0) store.redo();
  expect(store.state().outline.text).toBe(after);
  expect(names()).toContain("a2");
});

test("what is added, duplicated or brought back is selected; what goes leaves the selection to its neighbour", () => {
  const { store, entry, names } = given(manifest(field("a"), field("b"), field("c")));
  addEntry(store, "Text", 1);
  expect(names()).toEqual(["a", "text", "b", "c"]);
  expect(store.state().selection).toBe(entry(1).id);
  duplicateEntry(store, entry(1));
  expect(store.state().selection).toBe(entry(2).id);
  removeEntry(store, entry(2));
  expect(store.state().selection).toBe(entry(2).id);
  expect(names()[2]).toBe("b");
  store.select(APP);
  store.undo();
  expect(store.state().selection).toBe(entry(2).id);
});

test("moves that move nothing are no step", () => {
  const { store, entry } = given(manifest(field("a"), field("b"), field("c")));
  moveEntries(store, "setting", [1], 1);
  moveEntries(store, "setting", [1], 2);
  moveEntries(store, "setting", [0, 1], 1);
  moveEntries(store, "setting", [7], 0);
  moveEntryBy(store, entry(0), -1);
  moveEntryBy(store, entry(2), 1);
  expect(store.state().history.done).toEqual([]);
  expect(store.state().announcement).toBe('"c" is last already');
});

test("entries of any type can be named, copied, moved and removed", () => {
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
  expect(store.state().selection).toBe(APP);
});

test("while the text is blocked the design does not edit; text that is typed is kept, and undone", () => {
  const text = manifest(field("a"));
  const { store, entries } = given(text);
  store.replaceText(text.slice(0, -3), { what: "Edit the text" });
  addEntry(store, "Text");
  expect(store.state().outline.text).toBe(text.slice(0, -3));
  expect(entries()).toHaveLength(1);
  store.undo();
  expect(store.state().outline.text).toBe(text);
});

test("problems follow the text after a pause; another listing's name is one of them, beside all others", () => {
  const { store } = given(manifest(field("a")));
  expect(store.state().issues).toEqual([]);
  const foreign = manifest(field("a"), field("a")).replace(NAME, "acme/other-app");
  store.replaceText(foreign, { what: "Edit the text" });
  expect(store.state().issues).toEqual([]);
  vi.advanceTimersByTime(200);
  const codes = store.state().issues.map(({ code, line }) => [code, line]);
  expect(codes[0]).toEqual(["WRONG_NAME", 2]);
  expect(codes.length).toBeGreaterThan(1);
  expect(store.state().checkedText).toBe(foreign);
});

test("the same words twice are announced twice; keystrokes are not announced", () => {
  const { store } = given(manifest());
  addEntry(store, "Text");
  const first = store.state().announcement;
  addEntry(store, "Text");
  expect(store.state().announcement).not.toBe(first);
  expect(store.state().announcement.trim()).toBe("Add Text setting");
  const path = ["app", "fields", 0, "title"];
  store.edit({ type: "set", path, value: "T" }, { what: "Change title", merge: "x/title" });
  expect(store.state().announcement.trim()).toBe("Add Text setting");
});

test("a problem's press opens its entry in the design, and its place in the text while that is open or blocked", () => {
  const { store, entry } = given(manifest(field("a"), field("b")));
  store.openTab("preview");
  store.jumpTo({ code: "", message: "", pointer: "/app/fields/1/name", line: 12, column: 5 });
  expect(store.state()).toMatchObject({ tab: "design", selection: entry(1).id });
  store.openTab("json");
  store.jumpTo({ code: "", message: "", pointer: "/app/fields/10" });
  expect(store.state()).toMatchObject({ tab: "json", selection: APP, jump: { count: 2 } });
});
