import { Braces, Eye, FileDiff, LayoutList, SquareTerminal, type LucideIcon } from "lucide-react";
import { EDITOR_TABS, type EditorTab } from "../editor-store";

export const TAB_TITLES = {
  design: "Design",
  preview: "Preview",
  json: "JSON",
  app: "What the app sees",
  changes: "Changes",
} as const satisfies Record<EditorTab, string>;

export const TAB_ICONS = {
  design: LayoutList,
  preview: Eye,
  json: Braces,
  app: SquareTerminal,
  changes: FileDiff,
} as const satisfies Record<EditorTab, LucideIcon>;

/** Anything else is the first tab. */
export function tabOf(text: string | null): EditorTab {
  return EDITOR_TABS.find((tab) => tab === text) ?? "design";
}
