/** What the editor calls kinds of entries and tabs, with their icons, and how it shows values that may be of any type. */
import {
  Braces,
  Calculator,
  Eye,
  FileDiff,
  Globe,
  KeyRound,
  LayoutList,
  Link2,
  Power,
  SquareChevronDown,
  SquareTerminal,
  TextCursorInput,
  WandSparkles,
  Webhook,
  type LucideIcon,
} from "lucide-react";
import type { LifecycleEvent, MappingFormat } from "@/lib/contract/manifest-terms";
import { getMember } from "@/lib/domain/json-text/json-value";
import type { Entry, EntryKind } from "@/lib/domain/manifest/outline/entry";
import type { Ingredient } from "@/lib/domain/manifest/outline/new-entry";
import type { EditorTab } from "./editor-store";

export interface EntryLabel {
  icon: LucideIcon;
  name: string;
  description: string;
}

export const ENTRY_LABELS: Record<Ingredient, EntryLabel> = {
  Select: { icon: SquareChevronDown, name: "Select", description: "One of your values" },
  Text: { icon: TextCursorInput, name: "Text", description: "A line of text" },
  Password: { icon: KeyRound, name: "Password", description: "A hidden secret" },
  mapping: { icon: Link2, name: "Mapping field", description: "A field of products" },
  webhook: { icon: Webhook, name: "Webhook", description: "Receives core events" },
  autofill: { icon: WandSparkles, name: "Autofill", description: "Fills in forms" },
  rater: { icon: Calculator, name: "External rater", description: "Prices policies" },
  endpoint: { icon: Globe, name: "Endpoint", description: "Third-party calls" },
  lifecycle: { icon: Power, name: "Lifecycle hook", description: "Install, start, stop" },
};

/** A setting of an unknown type is shown as a Text. */
export function getEntryLabel({ kind, value }: Pick<Entry, "kind" | "value">): EntryLabel {
  if (kind !== "setting") return ENTRY_LABELS[kind];
  const type = getMember(value, "type");
  return ENTRY_LABELS[type === "Select" || type === "Password" ? type : "Text"];
}

/** Within a sentence: "Text setting", "external rater". */
export function nameEntry(kind: Ingredient | EntryKind): string {
  if (kind === "Select" || kind === "Text" || kind === "Password") return `${kind} setting`;
  return kind === "setting" ? kind : ENTRY_LABELS[kind].name.toLowerCase();
}

interface SectionLabel {
  title: string;
  description: string;
  /** Shown while the list is empty. */
  empty: string;
}

export const SECTION_LABELS: Record<EntryKind, SectionLabel> = {
  setting: {
    title: "Settings",
    description: "What customers enter when they configure the app",
    empty: "No settings yet. Add a Select, Text, or Password.",
  },
  mapping: {
    title: "Mapping fields",
    description: "What customers map to a field of each product",
    empty: "No mapping fields",
  },
  webhook: { title: "Webhooks", description: "Paths that receive core events", empty: "No webhooks" },
  autofill: { title: "Autofill", description: "Paths that fill in form fields", empty: "No autofill" },
  rater: { title: "External raters", description: "Paths that price a policy", empty: "No external raters" },
  endpoint: {
    title: "Endpoints",
    description: "Paths that third parties or browsers reach",
    empty: "No endpoints",
  },
  lifecycle: {
    title: "Lifecycle hooks",
    description: "Calls on install, start, stop, and uninstall",
    empty: "No lifecycle hooks",
  },
};

export const MAPPING_FORMAT_LABELS: Record<MappingFormat, EntryLabel> = {
  jsonpath: {
    icon: Link2,
    name: "JSONPath",
    description: "Customers pick a field or type a path, which is checked and tried on a sample.",
  },
  text: {
    icon: TextCursorInput,
    name: "Text",
    description: "Customers type what the app expects, such as a path in its own dialect. It isn't checked.",
  },
};

const LIFECYCLE_LABELS: Record<LifecycleEvent, string> = {
  install: "Once, on the first launch",
  start: "On each launch",
  stop: "Before a launch ends",
  uninstall: "On removal; never blocks it",
};

/** When the platform calls the hook; undefined for unknown events. */
export function lifecycleLabel(event: unknown): string | undefined {
  return Object.entries(LIFECYCLE_LABELS).find(([name]) => name === event)?.[1];
}

export const TAB_LABELS: Record<EditorTab, { title: string; icon: LucideIcon }> = {
  design: { title: "Design", icon: LayoutList },
  preview: { title: "Preview", icon: Eye },
  json: { title: "JSON", icon: Braces },
  app: { title: "What the app sees", icon: SquareTerminal },
  changes: { title: "Changes", icon: FileDiff },
};

const MAX_LENGTH = 200;

/** Text as is, any other value as JSON, and nothing for `undefined`. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "";
  return shorten(printable(typeof value === "string" ? value : (JSON.stringify(value) ?? "")), MAX_LENGTH);
}

/** Replaces characters that HTML can't carry, which the server and the browser would render differently. */
export function printable(text: string): string {
  return text.replace(/[\0-\x1F\x7F]|\p{Surrogate}/gu, "\uFFFD");
}

export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "1 error", "2 errors". */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
