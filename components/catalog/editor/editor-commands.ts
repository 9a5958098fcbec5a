/** All commands of the editor. */
import {
  ClipboardCopy,
  Command as CommandIcon,
  CopyPlus,
  Download,
  FileUp,
  Keyboard,
  MoveDown,
  MoveUp,
  Plus,
  Redo2,
  Rocket,
  Save,
  Settings2,
  Trash2,
  TriangleAlert,
  Undo2,
} from "lucide-react";
import { pointerTo } from "@/lib/contract/platform/problem";
import {
  type Entry,
  type Ingredient,
  INGREDIENTS,
  newEntry,
  toEntryKind,
} from "@/lib/domain/catalog/manifest/entry";
import { getMember } from "@/lib/domain/platform/json-text/json-value";
import type { Command } from "./command";
import { EDITOR_TABS, type EditorStore } from "./model/editor-store";
import {
  addEntry,
  duplicateEntry,
  entryTitle,
  findEntry,
  moveEntryBy,
  removeEntry,
} from "./model/entry-actions";
import { focusNewEntry } from "./model/focus";
import { nameEntry } from "./model/entry-labels";
import { jumpToNextProblem, TAB_LABELS } from "./model/labels";

/** Actions of the frame, which the store can't do. */
export interface FrameActions {
  saveNow: () => void;
  importFile: () => void;
  exportFile: () => void;
  copyText: () => void;
  openPalette: () => void;
  openShortcuts: () => void;
  openRelease: () => void;
}

export function editorCommands(store: EditorStore, actions: FrameActions): Command[] {
  return [
    ...addCommands(store),
    ...historyCommands(store),
    ...selectionCommands(store),
    ...navigationCommands(store),
    ...fileCommands(actions),
    {
      id: "palette",
      title: "Command palette",
      group: "Help",
      icon: CommandIcon,
      keys: ["Mod+K"],
      whileTyping: true,
      run: actions.openPalette,
    },
    {
      id: "shortcuts",
      title: "Keyboard shortcuts",
      group: "Help",
      icon: Keyboard,
      keys: ["?"],
      run: actions.openShortcuts,
    },
  ];
}

function historyCommands(store: EditorStore): Command[] {
  return [
    {
      id: "undo",
      title: "Undo",
      group: "Edit",
      icon: Undo2,
      keys: ["Mod+Z"],
      whileTyping: true,
      isAvailable: () => store.getState().history.done.length > 0,
      run: store.undo,
    },
    {
      id: "redo",
      title: "Redo",
      group: "Edit",
      icon: Redo2,
      keys: ["Mod+Shift+Z", "Mod+Y"],
      whileTyping: true,
      isAvailable: () => store.getState().history.undone.length > 0,
      run: store.redo,
    },
  ];
}

function navigationCommands(store: EditorStore): Command[] {
  const problem = {
    group: "Go to",
    icon: TriangleAlert,
    whileTyping: true,
    isAvailable: () => store.getState().issues.length > 0,
  } as const;
  return [
    ...EDITOR_TABS.map((tab, index): Command => ({
      id: `tab-${tab}`,
      ...TAB_LABELS[tab],
      group: "Go to",
      keys: [`Alt+${index + 1}`],
      whileTyping: true,
      run: () => store.openTab(tab),
    })),
    {
      ...problem,
      id: "next-problem",
      title: "Next problem",
      keys: ["F8"],
      run: () => jumpToNextProblem(store, 1),
    },
    {
      ...problem,
      id: "previous-problem",
      title: "Previous problem",
      keys: ["Shift+F8"],
      run: () => jumpToNextProblem(store, -1),
    },
    {
      id: "app",
      title: "Name and version",
      group: "Go to",
      icon: Settings2,
      run: () => {
        store.openTab("design");
        store.jumpTo({ pointer: "/version" });
      },
    },
  ];
}

function fileCommands(actions: FrameActions): Command[] {
  return [
    {
      id: "save",
      title: "Save now",
      group: "File",
      icon: Save,
      keys: ["Mod+S"],
      whileTyping: true,
      run: actions.saveNow,
    },
    {
      id: "import",
      title: "Import file…",
      group: "File",
      icon: FileUp,
      keys: ["Mod+O"],
      whileTyping: true,
      run: actions.importFile,
    },
    {
      id: "export",
      title: "Export platform-app.json",
      group: "File",
      icon: Download,
      keys: ["Mod+Shift+S"],
      whileTyping: true,
      run: actions.exportFile,
    },
    { id: "copy", title: "Copy the manifest", group: "File", icon: ClipboardCopy, run: actions.copyText },
    { id: "release", title: "Release…", group: "File", icon: Rocket, run: actions.openRelease },
  ];
}

// Commands that add, change and open entries.

const ADD_KEYS = {
  Select: "S",
  Text: "T",
  Password: "P",
  mapping: "M",
  webhook: "W",
  autofill: "A",
  rater: "R",
  endpoint: "E",
  lifecycle: "L",
  permission: "C",
  host: "H",
} as const satisfies Record<Ingredient, string>;

function addCommands(store: EditorStore): Command[] {
  return INGREDIENTS.map((ingredient) => ({
    id: `add-${ingredient}`,
    title: `Add ${nameEntry(ingredient)}`,
    group: "Add",
    icon: Plus,
    keys: [`Alt+Shift+${ADD_KEYS[ingredient]}`],
    isAvailable: () => {
      const { outline } = store.getState();
      return outline.blocked.length === 0 && newEntry(ingredient, outline.entries) !== undefined;
    },
    run: () => addAndOpen(store, ingredient),
  }));
}

/** Adds after the selected entry if it is of the same kind, otherwise at the end. */
function addAndOpen(store: EditorStore, ingredient: Ingredient): void {
  const { outline, selection } = store.getState();
  const selected = findEntry(outline.entries, selection);
  const index = selected?.kind === toEntryKind(ingredient) ? selected.index + 1 : undefined;
  store.openTab("design");
  addEntry(store, ingredient, index);
  const after = store.getState();
  const added = findEntry(after.outline.entries, after.selection);
  if (added === undefined || added.id === selection) return;
  focusNewEntry(added.id);
  store.jumpTo({ pointer: pointerTo(...added.path) });
}

const SELECTION_ACTIONS = [
  { id: "duplicate", title: "Duplicate selection", icon: CopyPlus, keys: "Mod+D", act: duplicateEntry },
  {
    id: "move-up",
    title: "Move selection up",
    icon: MoveUp,
    keys: "Alt+ArrowUp",
    act: (store: EditorStore, entry: Entry) => moveEntryBy(store, entry, -1),
  },
  {
    id: "move-down",
    title: "Move selection down",
    icon: MoveDown,
    keys: "Alt+ArrowDown",
    act: (store: EditorStore, entry: Entry) => moveEntryBy(store, entry, 1),
  },
  { id: "delete", title: "Delete selection", icon: Trash2, keys: "Mod+Backspace", act: removeEntry },
] as const;

function selectionCommands(store: EditorStore): Command[] {
  const getSelected = () => {
    const { outline, selection, tab } = store.getState();
    if (tab !== "design" || outline.blocked.length > 0) return undefined;
    return findEntry(outline.entries, selection);
  };
  return SELECTION_ACTIONS.map(({ id, title, icon, keys, act }) => ({
    id,
    title,
    group: "Edit",
    icon,
    keys: [keys],
    isAvailable: () => getSelected() !== undefined,
    run: () => {
      const entry = getSelected();
      if (entry !== undefined) act(store, entry);
    },
  }));
}

/** One command per entry that opens it, found by title and name. */
export function openCommands(store: EditorStore): Command[] {
  return store.getState().outline.entries.map((entry) => ({
    id: entry.id,
    title: paletteTitle(entry),
    group: "Go to",
    run: () => {
      const lines = store.getState().outline.entriesText.slice(0, entry.offset).split("\n");
      const column = (lines.at(-1)?.length ?? 0) + 1;
      store.jumpTo({ pointer: pointerTo(...entry.path), line: lines.length, column });
    },
  }));
}

function paletteTitle(entry: Entry): string {
  const title = entryTitle(entry);
  const name = getMember(entry.value, "name") ?? getMember(entry.value, "path");
  const suffix = typeof name === "string" && name !== title ? `, ${name.slice(0, 80)}` : "";
  return `${title} (${nameEntry(entry.kind)}${suffix})`;
}
