/** The content of a new manifest and of new entries. */
import type { Setting } from "@/lib/contract/manifest";
import { SETTING_TYPES, LIFECYCLE_EVENTS } from "@/lib/contract/manifest-terms";
import { getMember } from "../../json-text/json-value";
import { type Entry, type EntryKind } from "./entry";

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
  }
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
