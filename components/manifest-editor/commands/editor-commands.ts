/** All commands of the editor. */
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
import { EDITOR_TABS, type EditorStore } from "../model/editor-store";
import { TAB_LABELS } from "../model/labels";
import { jumpToNextProblem } from "../problems/problem-labels";
import type { Command } from "./command";
import { addCommands, selectionCommands } from "./entry-commands";

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
