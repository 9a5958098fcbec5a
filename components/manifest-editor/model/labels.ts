/** How each kind of entry, and each thing of the palette, is named and drawn. */

import {
  Braces,
  Calculator,
  Eye,
  FileDiff,
  KeyRound,
  LayoutList,
  Link2,
  type LucideIcon,
  Power,
  SquareChevronDown,
  SquareTerminal,
  TextCursorInput,
  WandSparkles,
  Webhook,
} from "lucide-react";
import type { LifecycleEvent } from "@/lib/contract/manifest";
import { getMember } from "@/lib/domain/json-text/json-value";
import type { Ingredient } from "@/lib/domain/manifest/outline/new-entry";
import type { Entry, EntryKind } from "@/lib/domain/manifest/outline/entry";
import { EDITOR_TABS, type EditorTab } from "./editor-store";

interface IngredientLook {
  icon: LucideIcon;
  name: string;
  /** One line of what it is. */
  line: string;
}

export const LOOK_OF: Record<Ingredient, IngredientLook> = {
  Select: { icon: SquareChevronDown, name: "Select", line: "One of your values" },
  Text: { icon: TextCursorInput, name: "Text", line: "A line of text" },
  Password: { icon: KeyRound, name: "Password", line: "A secret, kept hidden" },
  mapping: { icon: Link2, name: "Mapping field", line: "A field of products" },
  webhook: { icon: Webhook, name: "Webhook", line: "Events of the core" },
  autofill: { icon: WandSparkles, name: "Autofill", line: "Fills in a form" },
  rater: { icon: Calculator, name: "External rater", line: "Prices a policy" },
  lifecycle: { icon: Power, name: "Lifecycle hook", line: "Install, start, stop" },
};

interface KindLook {
  title: string;
  line: string;
  /** What an empty list says. */
  empty: string;
}

export const SECTION_OF: Record<EntryKind, KindLook> = {
  setting: {
    title: "Settings",
    line: "What customers fill in when they configure the app",
    empty: "No settings yet. Add a Select, a Text or a Password.",
  },
  mapping: {
    title: "Mapping fields",
    line: "What customers map to a field of each of their products",
    empty: "No mapping fields",
  },
  webhook: { title: "Webhooks", line: "Paths that events of the core are sent to", empty: "No webhooks" },
  autofill: { title: "Autofill", line: "Paths that fill in fields while people type", empty: "No autofill" },
  rater: { title: "External raters", line: "Paths that price a policy", empty: "No external raters" },
  lifecycle: {
    title: "Lifecycle hooks",
    line: "Calls at install, start, stop and uninstall",
    empty: "No lifecycle hooks",
  },
};

export const LIFECYCLE_MEANING: Record<LifecycleEvent, string> = {
  install: "Once, at the first launch",
  start: "At each launch",
  stop: "Before a launch ends",
  uninstall: "On removal; never blocks it",
};

/** The look of an entry; a setting of an unknown type looks like a Text. */
export function lookOf({ kind, value }: Pick<Entry, "kind" | "value">): IngredientLook {
  if (kind !== "setting") return LOOK_OF[kind];
  const type = getMember(value, "type");
  return LOOK_OF[type === "Select" || type === "Password" ? type : "Text"];
}

/** What the kinds of entries and the ingredients are called. */

const WORDS = {
  Select: "Select setting",
  Text: "Text setting",
  Password: "Password setting",
  setting: "setting",
  mapping: "mapping field",
  webhook: "webhook",
  autofill: "autofill",
  rater: "external rater",
  lifecycle: "lifecycle hook",
} as const satisfies Record<Ingredient | EntryKind, string>;

export function wordOf(what: Ingredient | EntryKind): string {
  return WORDS[what];
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Without what no page can hold: the server would send another character in its place than the browser draws. */
export function printable(text: string): string {
  return text.replace(/[\0-\x1F\x7F]|\p{Surrogate}/gu, "\uFFFD");
}

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
