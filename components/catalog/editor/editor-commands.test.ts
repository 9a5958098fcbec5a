import { expect, test } from "vitest";
import { isAvailable } from "./command";
import { editorCommands, type FrameActions } from "./editor-commands";
import { createEditorStore } from "./model/editor-store";

const NAME = "acme/vin-lookup";
const text = (fields: unknown[]) => JSON.stringify({ name: NAME, version: "1.0.0", app: { fields } });

function given(fields: unknown[]) {
  const store = createEditorStore({ draft: { text: text(fields) }, issues: [] }, async () => () => []);
  const nothing = () => undefined;
  const actions: FrameActions = {
    saveNow: nothing,
    importFile: nothing,
    exportFile: nothing,
    copyText: nothing,
    openPalette: nothing,
    openShortcuts: nothing,
    openRelease: nothing,
  };
  const commands = editorCommands(store, actions);
  const available = () => commands.filter(isAvailable).map(({ id }) => id);
  return { store, commands, available };
}

test("no two commands share an id or a key", () => {
  const { commands } = given([]);
  const ids = commands.map(({ id }) => id);
  const keys = commands.flatMap((command) => command.keys ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(keys).size).toBe(keys.length);
});

test("unavailable commands: nothing to undo, nothing selected, a blocked text", () => {
  const { store, available } = given([]);
  for (const id of ["undo", "redo", "delete", "duplicate", "move-up", "next-problem"])
    expect(available()).not.toContain(id);
  store.replaceText("{ broken", { what: "Edit the text" });
  expect(available()).toContain("undo");
  for (const id of ["add-Text", "add-lifecycle", "delete"]) expect(available()).not.toContain(id);
});

test("commands for the selection are available only in the Design tab", () => {
  const { store, available } = given([{ name: "a", title: "A", type: "Text" }]);
  expect(available()).toContain("delete");
  store.openTab("json");
  expect(available()).not.toContain("delete");
});
