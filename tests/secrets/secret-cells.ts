/**
 * What a save does to a setting, as a table of rules in the order in which they count, separate from the code that follows
 * them. `docs/secrets.md` shows the table, and a test runs every cell.
 */
import type { Setting } from "@/lib/contract/catalog/manifest";
import type { SettingType } from "@/lib/contract/platform/manifest-terms";

export const ACTIONS = ["keep", "set", "set empty", "set asterisks", "clear", "absent"] as const;
export type Action = (typeof ACTIONS)[number];

interface Kind {
  type: SettingType;
  sensitive: boolean;
}

/** How a setting is declared now. */
export interface Now extends Kind {
  required: boolean;
}

/** What is stored: the declaration under which it was entered, and whether it is an empty text. */
export interface Then extends Kind {
  empty: boolean;
}

export interface Cell {
  name: string;
  action: Action;
  then: Then | undefined;
  now: Now;
  /** The Select of today still offers the stored value. */
  offered: boolean;
}

/** `from`: entered in this save, or before it. */
export type Outcome =
  | { stored: "nothing" }
  | { stored: "plain"; value: Value }
  | { stored: "sealed"; value: Value; from: "now" | "then" }
  | { refused: string };
export type Value = "then" | "new" | "empty" | "asterisks";

interface Rule {
  when: string;
  then: string;
  /** In the matrix. */
  mark: string;
  matches: (cell: Cell) => boolean;
  outcome: (cell: Cell) => Outcome;
}

const isSet = (cell: Cell) => cell.action.startsWith("set");
const hides = ({ type, sensitive }: Kind) => type === "Password" || sensitive;
const setValue = (cell: Cell): Value =>
  cell.action === "set" ? "new" : cell.action === "set empty" ? "empty" : "asterisks";
const storedValue = (cell: Cell): Value => (cell.then?.empty === true ? "empty" : "then");
const refused = (code: string) => () => ({ refused: code });

/** The first rule that matches applies. From the seventh on, the setting is kept or left out. */
export const RULES: readonly Rule[] = [
  {
    when: "clear, and the setting is required",
    then: "Refused: `setting-required`.",
    mark: "R",
    matches: (cell) => cell.action === "clear" && cell.now.required,
    outcome: refused("setting-required"),
  },
  {
    when: "clear",
    then: "Nothing is stored. The state record has no such setting.",
    mark: "–",
    matches: (cell) => cell.action === "clear",
    outcome: () => ({ stored: "nothing" }),
  },
  {
    when: "set, to a value that a Select does not offer",
    then: "Refused: `setting-not-offered`.",
    mark: "N",
    matches: (cell) => isSet(cell) && cell.now.type === "Select" && cell.action !== "set",
    outcome: refused("setting-not-offered"),
  },
  {
    when: "set, to an empty text, and the setting is required",
    then: "Refused: `setting-required`.",
    mark: "R",
    matches: (cell) => cell.action === "set empty" && cell.now.required,
    outcome: refused("setting-required"),
  },
  {
    when: "set, and the setting is sensitive now",
    then: "The new value is sealed, whatever it is. An empty text and asterisks are values.",
    mark: "S",
    matches: (cell) => isSet(cell) && hides(cell.now),
    outcome: (cell) => ({ stored: "sealed", value: setValue(cell), from: "now" }),
  },
  {
    when: "set",
    then: "The new value is stored as it is, even if a secret was stored before.",
    mark: "P",
    matches: isSet,
    outcome: (cell) => ({ stored: "plain", value: setValue(cell) }),
  },
  {
    when: "keep, and nothing is stored",
    then: "Refused: `setting-nothing-to-keep`.",
    mark: "K",
    matches: (cell) => cell.action === "keep" && cell.then === undefined,
    outcome: refused("setting-nothing-to-keep"),
  },
  {
    when: "nothing is stored, and the setting is required",
    then: "Refused: `setting-required`.",
    mark: "R",
    matches: (cell) => cell.then === undefined && cell.now.required,
    outcome: refused("setting-required"),
  },
  {
    when: "nothing is stored",
    then: "Nothing is stored: the setting stays skipped.",
    mark: "–",
    matches: (cell) => cell.then === undefined,
    outcome: () => ({ stored: "nothing" }),
  },
  {
    when: "the stored value is sealed and was entered as another type",
    then: "Refused: `setting-ask-again`, until it is set or cleared.",
    mark: "A",
    matches: ({ then, now }) => then !== undefined && hides(then) && then.type !== now.type,
    outcome: refused("setting-ask-again"),
  },
  {
    when: "the setting is a Select that does not offer the stored value",
    then: "Refused: `setting-ask-again`, until it is set or cleared.",
    mark: "A",
    matches: (cell) => cell.now.type === "Select" && !cell.offered,
    outcome: refused("setting-ask-again"),
  },
  {
    when: "the stored value is a sealed empty text, and the setting is required",
    then: "Refused: `setting-ask-again`, without saying that it is empty.",
    mark: "A",
    matches: ({ then, now }) => then?.empty === true && hides(then) && now.required && now.type !== "Select",
    outcome: refused("setting-ask-again"),
  },
  {
    when: "the stored value is an empty text, and the setting is required",
    then: "Refused: `setting-required`.",
    mark: "R",
    matches: ({ then, now }) => then?.empty === true && now.required && now.type !== "Select",
    outcome: refused("setting-required"),
  },
  {
    when: "the stored value is sealed",
    then: "It stays byte for byte, and hidden, whatever the manifest says today.",
    mark: "=",
    matches: ({ then }) => then !== undefined && hides(then),
    outcome: (cell) => ({ stored: "sealed", value: storedValue(cell), from: "then" }),
  },
  {
    when: "the stored value is plain, and the setting is sensitive now",
    then: "The same value is sealed now, with the time when it was entered.",
    mark: "s",
    matches: ({ now }) => hides(now),
    outcome: (cell) => ({ stored: "sealed", value: storedValue(cell), from: "then" }),
  },
  {
    when: "the stored value is plain",
    then: "It stays as it is, also under another type that accepts it.",
    mark: "=",
    matches: () => true,
    outcome: (cell) => ({ stored: "plain", value: storedValue(cell) }),
  },
];

export function findRule(cell: Cell): Rule {
  const rule = RULES.find((one) => one.matches(cell));
  if (rule === undefined) throw new Error("the last rule always matches");
  return rule;
}

/** How a page receives a setting, before or after a save. */
export type Wire =
  | { sensitive: true; configured: boolean; from?: "now" | "then" }
  | { sensitive: false; value: Value | undefined };

/** Of a sealed value or a sensitive setting a page only learns `configured`; a plain value has no origin. */
export function wireAfter(cell: Cell): Wire {
  const outcome = findRule(cell).outcome(cell);
  if ("refused" in outcome) return wireBefore(cell);
  if (outcome.stored === "sealed") return { sensitive: true, configured: true, from: outcome.from };
  if (hides(cell.now)) return { sensitive: true, configured: outcome.stored === "plain" };
  return { sensitive: false, value: outcome.stored === "plain" ? outcome.value : undefined };
}

/** What is stored, as it is shown under the declaration of today. */
export function wireBefore({ then, now, ...cell }: Cell): Wire {
  if (then !== undefined && hides(then)) return { sensitive: true, configured: true, from: "then" };
  if (hides(now)) return { sensitive: true, configured: then !== undefined };
  return { sensitive: false, value: then === undefined ? undefined : storedValue({ then, now, ...cell }) };
}

export interface Choices {
  kind: "secret" | "plain";
  keep: boolean;
  clear: boolean;
  first: "keep" | "set" | "skip";
  shown: Value | undefined;
}

/**
 * What the page offers before the customer touches it. Keep: if leaving the setting alone is not refused. Clear: if a value
 * is stored that is not required. A secret shows nothing, and a Select only shows a choice that it offers.
 */
export function listChoices(page: Omit<Cell, "action">): Choices {
  const { then, now } = page;
  const isSecret = hides(now) || (then !== undefined && hides(then));
  const keep = then !== undefined && !("refused" in untouched(page));
  const first = keep ? "keep" : then !== undefined || now.required ? "set" : "skip";
  const isShown = then !== undefined && !isSecret && (now.type !== "Select" || page.offered);
  return {
    kind: isSecret ? "secret" : "plain",
    keep,
    clear: then !== undefined && !now.required,
    first,
    shown: isShown ? storedValue({ ...page, action: "absent" }) : undefined,
  };
}

function untouched(page: Omit<Cell, "action">): Outcome {
  const cell: Cell = { ...page, action: "absent" };
  return findRule(cell).outcome(cell);
}

const KINDS: readonly Kind[] = [
  { type: "Select", sensitive: false },
  { type: "Select", sensitive: true },
  { type: "Text", sensitive: false },
  { type: "Text", sensitive: true },
  { type: "Password", sensitive: false },
];

export const NOWS: readonly Now[] = KINDS.flatMap((kind) => [
  { ...kind, required: false },
  { ...kind, required: true },
]);

/** A row of the table: what is stored, and whether the Select of today offers it. */
export interface Stored {
  then: Then | undefined;
  offered: boolean;
}

export const STOREDS: readonly Stored[] = [
  { then: undefined, offered: true },
  ...KINDS.flatMap((kind) => [true, false].map((offered) => ({ then: { ...kind, empty: false }, offered }))),
  ...KINDS.filter(({ type }) => type !== "Select").map((kind) => ({
    then: { ...kind, empty: true },
    offered: false,
  })),
];

/** Only a Select offers values: other columns have one row for both. */
export function canOccur({ then, offered }: Stored, now: Now): boolean {
  return now.type === "Select" || offered || then?.empty === true;
}

export const CELLS: readonly Cell[] = ACTIONS.flatMap((action) =>
  STOREDS.flatMap((stored) =>
    NOWS.filter((now) => canOccur(stored, now)).map((now) => ({ action, ...stored, now })),
  ),
).map((cell, index) => ({ ...cell, name: `cell-${index}` }));

export function describeKind({ type, sensitive }: Kind): string {
  return sensitive ? `${type}, sensitive` : type;
}

export function describeStored({ then, offered }: Stored): string {
  if (then === undefined) return "nothing";
  const what = `${describeKind(then)}${then.empty ? ": empty" : ""}`;
  return offered || then.empty ? what : `${what}; not offered now`;
}

export function describeCell(cell: Cell): string {
  const { action, now } = cell;
  const declared = `${describeKind(now)}${now.required ? ", required" : ""}`;
  return `${action} · stored: ${describeStored(cell)} · now: ${declared} (${cell.name})`;
}

/** The setting as the manifest declares it today. A Select offers the new value, and the stored one if it is `offered`. */
export function declaredNow({ name, now, offered }: Cell, valueOf: (value: Value) => string): Setting {
  const offers = offered ? [valueOf("new"), valueOf("then")] : [valueOf("new")];
  return declaration(name, now, offers, now.required);
}

/** As the manifest declared it when the stored value was entered. */
export function declaredThen({ name, then }: Cell, valueOf: (value: Value) => string): Setting | undefined {
  return then === undefined ? undefined : declaration(name, then, [valueOf("then")], false);
}

function declaration(name: string, { type, sensitive }: Kind, offers: string[], required: boolean): Setting {
  const values = offers.map((value, index) => ({ text: `Choice ${index + 1}`, value }));
  return {
    name,
    title: `Setting ${name}`,
    type,
    ...(sensitive ? { sensitive } : {}),
    ...(required ? { required } : {}),
    ...(type === "Select" ? { values } : {}),
  };
}
