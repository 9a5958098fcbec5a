/** What the editor calls its tabs, lists and problems, and how it shows values that may be of any type. */
import {
  Braces,
  Eye,
  FileDiff,
  LayoutList,
  Link2,
  type LucideIcon,
  SquareTerminal,
  TextCursorInput,
} from "lucide-react";
import type { LifecycleEvent, MappingFormat } from "@/lib/contract/platform/manifest-terms";
import { isError, type Issue, SEVERITIES } from "@/lib/contract/platform/problem";
import { type Entry, ENTRY_KINDS, ENTRY_LISTS, type EntryKind } from "@/lib/domain/catalog/manifest/entry";
import { getMember } from "@/lib/domain/platform/json-text/json-value";
import type { EditorStore, EditorTab } from "./editor-store";
import { capitalize, type EntryLabel } from "./entry-labels";

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
    empty: "No endpoints. Browsers reach only the paths that you add here.",
  },
  lifecycle: {
    title: "Lifecycle hooks",
    description: "Calls on install, start, stop, and uninstall",
    empty: "No lifecycle hooks",
  },
  permission: {
    title: "Permissions",
    description: "What the app may do in the core",
    empty: "Whatever the core allows apps that list no permissions",
  },
  host: {
    title: "Hosts",
    description: "Hosts that the app connects to",
    empty: "Any host on the internet",
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

/** "1 error", "2 errors". */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

// How problems are counted and located, and the order in which F8 visits them.

/** "2 errors, 1 warning", or "No problems". */
export function countProblems(issues: readonly Issue[]): string {
  const parts = SEVERITIES.flatMap((each) => {
    const count = issues.filter(({ severity = "error" }) => severity === each).length;
    return count > 0 ? [countText(count, each)] : [];
  });
  return parts.length === 0 ? "No problems" : parts.join(", ");
}

export function hasErrors(issues: readonly Issue[]): boolean {
  return issues.some(isError);
}

/** "Settings › region › values › 2 › text" */
export function locationText(pointer: string, entries: readonly Entry[]): string {
  const parts = parsePointer(pointer);
  if (parts.length === 0) return "The whole text";
  const kind = ENTRY_KINDS.find((each) => ENTRY_LISTS[each].every((part, index) => parts[index] === part));
  if (kind === undefined) return join(parts.map(oneBased));
  const [index, ...rest] = parts.slice(ENTRY_LISTS[kind].length);
  const entry = index === undefined ? [] : [entryName(kind, index, entries)];
  return join([SECTION_LABELS[kind].title, ...entry, ...rest.map(oneBased)]);
}

/** Jumps to the problem after or before the last visited one, and wraps around. */
export function jumpToNextProblem(store: EditorStore, by: 1 | -1): void {
  const { issues, jump } = store.getState();
  const last = issues.findIndex(
    ({ pointer, line = 1, column = 1 }) =>
      pointer === jump?.pointer && line === jump.line && column === jump.column,
  );
  const start = last === -1 && by < 0 ? 0 : last;
  const next = issues[(start + by + issues.length) % issues.length];
  if (next === undefined) return store.announce("No problems");
  store.jumpTo(next);
  store.announce(`${capitalize(next.severity ?? "error")}: ${next.message}`);
}

function entryName(kind: EntryKind, index: string, entries: readonly Entry[]): string {
  const entry = entries.find((each) => each.kind === kind && String(each.index) === index);
  const known = ["name", "path", "host", "setting"].map((key) => getMember(entry?.value, key));
  const name = [...known, entry?.value].find((each) => typeof each === "string" && each !== "");
  return typeof name === "string" ? name : oneBased(index);
}

function oneBased(part: string): string {
  return /^\d{1,6}$/.test(part) ? String(Number(part) + 1) : part;
}

function parsePointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function join(parts: readonly string[]): string {
  return parts.map((part) => shorten(part, 40)).join(" › ");
}
