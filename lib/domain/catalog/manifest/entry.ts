/** What the visual editor shows and edits: a manifest's entries and their positions in the source text. */
import type { Setting } from "@/lib/contract/catalog/manifest";
import {
  FORBIDDEN_NAMES,
  LIFECYCLE_EVENTS,
  MANIFEST_LIMITS,
  PERMISSIONS,
  SETTING_TYPES,
} from "@/lib/contract/platform/manifest-terms";
import type { Issue } from "@/lib/contract/platform/problem";
import { childAt, readContainer, skipSpace, type Wanted } from "../../platform/json-text/json-source";
import { getMember, type Path } from "../../platform/json-text/json-value";

export const ENTRY_KINDS = [
  "setting",
  "mapping",
  "webhook",
  "autofill",
  "rater",
  "endpoint",
  "lifecycle",
  "permission",
  "host",
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The path of each kind's list. */
export const ENTRY_LISTS = {
  setting: ["app", "fields"],
  mapping: ["core", "fields"],
  webhook: ["core", "webhooks"],
  autofill: ["core", "autofill"],
  rater: ["core", "externalRaters"],
  endpoint: ["core", "endpoints"],
  lifecycle: ["core", "lifecycle"],
  permission: ["core", "permissions"],
  host: ["core", "hosts"],
} as const satisfies Record<EntryKind, Path>;

export interface Entry {
  /** Stable through edits, moves and undo, as far as the entry can be recognized. */
  id: string;
  kind: EntryKind;
  /** Index in its list. */
  index: number;
  path: Path;
  /** Position of its source in the text. */
  offset: number;
  length: number;
  /** As written, of any type: a manifest may be wrong. The same object as long as the source is the same. */
  value: unknown;
}

export interface Outline {
  text: string;
  /** In the order of `ENTRY_KINDS`, then by index. While the text is `blocked`: the entries of the last text that was not. */
  entries: readonly Entry[];
  /** The text that `entries` was read from. */
  entriesText: string;
  /** As written. */
  name: unknown;
  version: unknown;
  /** `core.configurationCheck`. */
  configurationCheck: unknown;
  /** Without the list, an app may connect to any host. */
  listsHosts: boolean;
  /** Without the list, an app may do what cores allow apps that list none. */
  listsPermissions: boolean;
  /** Why the text can only be edited as text: broken JSON, duplicate keys, or something else in place of a list. */
  blocked: readonly Issue[];
  nextId: number;
}

export interface EntryPosition {
  kind: EntryKind;
  index: number;
  path: Path;
  offset: number;
  length: number;
}

interface ManifestPositions {
  /** In the order of an outline's entries. */
  positions: EntryPosition[];
  /** As written; undefined if missing. */
  name: unknown;
  version: unknown;
  configurationCheck: unknown;
  listsHosts: boolean;
  listsPermissions: boolean;
}

const LISTS = Object.values(ENTRY_LISTS).reduce<Record<string, Wanted>>(
  (wanted, [parent, key]) => ({ ...wanted, [parent]: { ...wanted[parent], [key]: {} } }),
  {},
);

/** Reads a text that is not blocked, in one pass. */
export function readPositions(text: string): ManifestPositions {
  const root = readContainer(text, skipSpace(text, 0), LISTS);
  const read = (key: string, container: typeof root | undefined = root): unknown => {
    const member = childAt(container, key);
    return member === undefined ? undefined : JSON.parse(text.slice(member.start, member.end));
  };
  const positions = ENTRY_KINDS.flatMap((kind) => {
    const [parent, key] = ENTRY_LISTS[kind];
    const list = childAt(childAt(root, parent)?.inside, key)?.inside;
    return (list?.children ?? []).map(({ start, end }, index) => ({
      kind,
      index,
      path: [...ENTRY_LISTS[kind], index],
      offset: start,
      length: end - start,
    }));
  });
  const core = childAt(root, "core")?.inside;
  const configurationCheck = core && read("configurationCheck", core);
  return {
    positions,
    name: read("name"),
    version: read("version"),
    configurationCheck,
    listsHosts: childAt(core, "hosts") !== undefined,
    listsPermissions: childAt(core, "permissions") !== undefined,
  };
}

// The content of a new manifest and of new entries.

/** The text that the editor starts with if nothing was published yet. */
export function newManifestText(name: string): string {
  return `${JSON.stringify({ name, version: "1.0.0", app: { fields: [] } }, null, 2)}\n`;
}

/** What the palette offers: a setting of each type, and the other kinds. */
export type Ingredient = Setting["type"] | Exclude<EntryKind, "setting">;

export const INGREDIENTS = [
  ...SETTING_TYPES,
  "mapping",
  "webhook",
  "autofill",
  "rater",
  "endpoint",
  "lifecycle",
  "permission",
  "host",
] as const satisfies readonly Ingredient[];

export function toEntryKind(ingredient: Ingredient): EntryKind {
  return ingredient === "Select" || ingredient === "Text" || ingredient === "Password"
    ? "setting"
    : ingredient;
}

/** The names of entries without a title. */
const DEFAULT_NAMES = { Select: "choice", Text: "text", Password: "secret", mapping: "field" } as const;

export function defaultName({ kind, value }: Pick<Entry, "kind" | "value">): string {
  const type = SETTING_TYPES.find((each) => each === getMember(value, "type"));
  return DEFAULT_NAMES[kind === "mapping" ? kind : (type ?? "Text")];
}

/** To be filled in: the first value of a Select, and each value that is added. */
export const BLANK_VALUE = { text: "", value: "" } as const;

function named(ingredient: keyof typeof DEFAULT_NAMES, title: string, entries: readonly Entry[]) {
  const name = freeName(DEFAULT_NAMES[ingredient], entries, toEntryKind(ingredient));
  return { name, title };
}

/** Undefined if every lifecycle hook already exists. */
export function newEntry(ingredient: Ingredient, entries: readonly Entry[]): unknown {
  switch (ingredient) {
    case "Select":
      return { ...named("Select", "Choice", entries), type: "Select", values: [BLANK_VALUE] };
    case "Text":
      return { ...named("Text", "Text", entries), type: "Text" };
    case "Password":
      return { ...named("Password", "Secret", entries), type: "Password" };
    case "mapping":
      return named("mapping", "Field", entries);
    case "webhook":
      return { path: freePath("/events", entries), events: ["policy.issued"] };
    case "autofill":
      return { path: freePath("/autofill", entries), operations: ["newBusiness.*"] };
    case "rater":
      return { name: freeName("Rater", entries, "rater"), path: freePath("/rate", entries) };
    case "endpoint":
      return {
        path: freePath("/callbacks", entries),
        methods: ["POST"],
        access: "core",
        title: "Callbacks",
      };
    case "lifecycle": {
      const present = new Set(entries.filter(({ kind }) => kind === "lifecycle").map(({ value }) => value));
      return LIFECYCLE_EVENTS.find((event) => !present.has(event));
    }
    case "permission":
      return { name: freePermission(entries), purpose: "" };
    case "host":
      return { host: "", purpose: "" };
  }
}

/** An endpoint that browsers can open, as apps have that come from a host where every path was open. */
export function newPage(entries: readonly Entry[]): unknown {
  return { path: freePath("/", entries), methods: ["GET"], access: "public", title: "Page" };
}

/** The first that the app doesn't ask for yet. */
function freePermission(entries: readonly Entry[]): string {
  const asked = new Set(
    entries.filter(({ kind }) => kind === "permission").map(({ value }) => getMember(value, "name")),
  );
  return PERMISSIONS.find((name) => !asked.has(name)) ?? "";
}

/** `base`, or `base2`, `base3`, … if entries of that kind already use it. */
export function freeName(base: string, entries: readonly Entry[], kind: EntryKind): string {
  const taken = new Set(
    entries.filter((entry) => entry.kind === kind).map(({ value }) => getMember(value, "name")),
  );
  return firstFree(base, (name) => taken.has(name));
}

export function freePath(base: string, entries: readonly Entry[]): string {
  const taken = new Set(entries.map(({ value }) => getMember(value, "path")));
  const open = base.endsWith("/*") ? "/*" : "";
  const stem = base.slice(0, base.length - open.length);
  return firstFree(stem, (path) => taken.has(path + open)) + open;
}

function firstFree(base: string, isTaken: (text: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const text = number === 1 ? base : `${base}${number}`;
    if (!isTaken(text)) return text;
  }
}

// Names and values that follow the text they were made from until somebody edits them.

const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
};

/** "Håbor & Söhne" → "habor", "sohne". None for a text without Latin letters or digits. */
function splitLatinWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[ßæœøłđðþ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** "Håbor & Söhne" → "habor-sohne". A text without Latin letters or digits is its own value. */
export function deriveValue(text: string): string {
  const words = splitLatinWords(text);
  return words.length === 0 ? text.trim() : words.join("-");
}

/** Leaves room for a number. */
const LONGEST_NAME = MANIFEST_LIMITS.name - 4;

/** "API key" → "apiKey". Empty for a title without Latin letters. */
export function deriveName(title: string): string {
  const words = splitLatinWords(title);
  const start = words.findIndex((word) => /[a-z]/.test(word));
  // A name starts with a letter.
  const first = words[start]?.replace(/^\d+/, "") ?? "";
  const rest = words.slice(start + 1).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return first === "" ? "" : [first, ...rest].join("").slice(0, LONGEST_NAME);
}

interface Titled {
  name: unknown;
  title: unknown;
}

/**
 * The name of an entry whose title changes to `title`; undefined if somebody edited the name. `fallback`: the name without
 * a title. `taken`: the names of the other entries.
 */
export function followTitle(
  { name, title: before }: Titled,
  title: string,
  fallback: string,
  taken: readonly unknown[],
): string | undefined {
  const made = typeof before === "string" ? deriveName(before) || fallback : fallback;
  if (name !== undefined && name !== "" && !isNumbered(name, made, "")) return undefined;
  const base = deriveName(title) || fallback;
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? base : `${base}${number}`;
    if (!taken.includes(free) && !FORBIDDEN_NAMES.includes(free)) return free;
  }
}

/** Whether the value was derived from this text. */
export function isDerivedValue(value: unknown, text: unknown): boolean {
  const made = typeof text === "string" ? deriveValue(text) : "";
  return value === undefined || value === made || (made !== "" && isNumbered(value, made, "-"));
}

/** Whether it is `base`, or `base` with a number that makes it unique. */
function isNumbered(text: unknown, base: string, separator: string): boolean {
  if (typeof text !== "string" || !text.startsWith(base)) return false;
  const rest = text.slice(base.length);
  return rest === "" || (rest.startsWith(separator) && /^\d+$/.test(rest.slice(separator.length)));
}
