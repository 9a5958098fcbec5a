/** Everything that can be done in the editor. */
import {
  ClipboardCopy,
  Command as CommandIcon,
  Download,
  FileUp,
  Keyboard,
  Redo2,
  Rocket,
  Save,
  Settings2,
  TriangleAlert,
  Undo2,
} from "lucide-react";
import { EDITOR_TABS, type EditorStore, type EditorTab } from "../model/editor-store";
import { TAB_ICONS, TAB_TITLES } from "../model/labels";
import { jumpToNextProblem } from "../problems/problem-labels";
import { addCommands } from "./entry-commands";
import type { Command } from "./command";
import { selectionCommands } from "./entry-commands";

/** What the frame does, beside the store. */
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
    ...EDITOR_TABS.map((tab, index) => tabCommand(store, tab, index + 1)),
    ...problemCommands(store),
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
      title: "Shortcuts",
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
      isAvailable: () => store.state().history.done.length > 0,
      run: store.undo,
    },
    {
      id: "redo",
      title: "Redo",
      group: "Edit",
      icon: Redo2,
      keys: ["Mod+Shift+Z", "Mod+Y"],
      whileTyping: true,
      isAvailable: () => store.state().history.undone.length > 0,
      run: store.redo,
    },
  ];
}

function tabCommand(store: EditorStore, tab: EditorTab, number: number): Command {
  return {
    id: `tab-${tab}`,
    title: TAB_TITLES[tab],
    group: "Go to",
    icon: TAB_ICONS[tab],
    keys: [`Alt+${number}`],
    whileTyping: true,
    run: () => store.openTab(tab),
  };
}

function problemCommands(store: EditorStore): Command[] {
  const isAvailable = () => store.state().issues.length > 0;
  return [
    {
      id: "next-problem",
      title: "Next problem",
      group: "Go to",
      icon: TriangleAlert,
      keys: ["F8"],
      whileTyping: true,
      isAvailable,
      run: () => jumpToNextProblem(store, 1),
    },
    {
      id: "previous-problem",
      title: "Previous problem",
      group: "Go to",
      icon: TriangleAlert,
      keys: ["Shift+F8"],
      whileTyping: true,
      isAvailable,
      run: () => jumpToNextProblem(store, -1),
    },
    {
      id: "app",
      title: "Name and version",
      group: "Go to",
      icon: Settings2,
      run: () => {
        store.openTab("design");
        store.jumpTo({ code: "", message: "", pointer: "/version" });
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
