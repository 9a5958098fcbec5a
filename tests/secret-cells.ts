/**
 * What becomes of a setting when a configuration is saved, as a written table: the rules are here in the order in which
 * they count, apart from the code that keeps them. `docs/secrets.md` shows them, and a test runs every cell.
 */
import type { Setting, SettingType } from "@/lib/contract/manifest";

export const ACTIONS = ["keep", "set", "set empty", "set asterisks", "clear", "absent"] as const;
export type Action = (typeof ACTIONS)[number];

interface Kind {
  type: SettingType;
  sensitive: boolean;
}

/** How a setting is declared; `offered`: as a Select, it offers what is stored. */
export interface Now extends Kind {
  required: boolean;
}

/** What is stored: under which declaration it was entered, and whether it is an empty text. */
export interface Then extends Kind {
  empty: boolean;
}

export interface Cell {
  name: string;
  action: Action;
  then: Then | undefined;
  now: Now;
  /** A Select of today still offers what is stored. */
  offered: boolean;
}

/** `from`: who entered it, and when: in this save, or before it. */
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
  holds: (cell: Cell) => boolean;
  outcome: (cell: Cell) => Outcome;
}

const isSet = (cell: Cell) => cell.action.startsWith("set");
const hides = ({ type, sensitive }: Kind) => type === "Password" || sensitive;
const setValue = (cell: Cell): Value =>
  cell.action === "set" ? "new" : cell.action === "set empty" ? "empty" : "asterisks";
const storedValue = (cell: Cell): Value => (cell.then?.empty === true ? "empty" : "then");
const refused = (code: string) => () => ({ refused: code });

/** The first that holds counts. From the seventh on, the setting is kept or was left out. */
export const RULES: readonly Rule[] = [
  {
    when: "clear, and the setting is required",
    then: "Refused: `setting-required`.",
    mark: "R",
    holds: (cell) => cell.action === "clear" && cell.now.required,
    outcome: refused("setting-required"),
  },
  {
    when: "clear",
    then: "Nothing is stored. The state record has no such setting.",
    mark: "–",
    holds: (cell) => cell.action === "clear",
    outcome: () => ({ stored: "nothing" }),
  },
  {
    when: "set, to a value that a Select does not offer",
    then: "Refused: `setting-not-offered`.",
    mark: "N",
    holds: (cell) => isSet(cell) && cell.now.type === "Select" && cell.action !== "set",
    outcome: refused("setting-not-offered"),
  },
  {
    when: "set, to an empty text, and the setting is required",
    then: "Refused: `setting-required`.",
    mark: "R",
    holds: (cell) => cell.action === "set empty" && cell.now.required,
    outcome: refused("setting-required"),
  },
  {
    when: "set, and the setting is sensitive now",
    then: "The new value is sealed, whatever it is: an empty text and asterisks are values.",
    mark: "S",
    holds: (cell) => isSet(cell) && hides(cell.now),
    outcome: (cell) => ({ stored: "sealed", value: setValue(cell), from: "now" }),
  },
  {
    when: "set",
    then: "The new value is stored as it is, also where a secret was before.",
    mark: "P",
    holds: isSet,
    outcome: (cell) => ({ stored: "plain", value: setValue(cell) }),
  },
  {
    when: "keep, and nothing is stored",
    then: "Refused: `setting-nothing-to-keep`.",
    mark: "K",
    holds: (cell) => cell.action === "keep" && cell.then === undefined,
    outcome: refused("setting-nothing-to-keep"),
  },
  {
    when: "nothing is stored, and the setting is required",
    then: "Refused: `setting-required`.",
    mark: "R",
    holds: (cell) => cell.then === undefined && cell.now.required,
    outcome: refused("setting-required"),
  },
  {
    when: "nothing is stored",
    then: "Nothing is stored: it was skipped, and stays so.",
    mark: "–",
    holds: (cell) => cell.then === undefined,
    outcome: () => ({ stored: "nothing" }),
  },
  {
    when: "the stored value is sealed, and was entered as another type",
    then: "Refused: `setting-ask-again`, until it is set or cleared.",
    mark: "A",
    holds: ({ then, now }) => then !== undefined && hides(then) && then.type !== now.type,
    outcome: refused("setting-ask-again"),
  },
  {
    when: "the setting is a Select that does not offer the stored value",
    then: "Refused: `setting-ask-again`, until it is set or cleared.",
    mark: "A",
    holds: (cell) => cell.now.type === "Select" && !cell.offered,
    outcome: refused("setting-ask-again"),
  },
  {
    when: "the stored value is a sealed empty text, and the setting is required",
    then: "Refused: `setting-ask-again`. That it is empty is not said.",
    mark: "A",
    holds: ({ then, now }) => then?.empty === true && hides(then) && now.required && now.type !== "Select",
    outcome: refused("setting-ask-again"),
  },
  {
    when: "the stored value is an empty text, and the setting is required",
    then: "Refused: `setting-required`.",
    mark: "R",
    holds: ({ then, now }) => then?.empty === true && now.required && now.type !== "Select",
    outcome: refused("setting-required"),
  },
  {
    when: "the stored value is sealed",
    then: "It stays as it is, to the byte, and hidden, whatever the manifest says today.",
    mark: "=",
    holds: ({ then }) => then !== undefined && hides(then),
    outcome: (cell) => ({ stored: "sealed", value: storedValue(cell), from: "then" }),
  },
  {
    when: "the stored value is plain, and the setting is sensitive now",
    then: "The same value is sealed now. It counts as entered when it was.",
    mark: "s",
    holds: ({ now }) => hides(now),
    outcome: (cell) => ({ stored: "sealed", value: storedValue(cell), from: "then" }),
  },
  {
    when: "the stored value is plain",
    then: "It stays as it is, also as another type, if that takes it.",
    mark: "=",
    holds: () => true,
    outcome: (cell) => ({ stored: "plain", value: storedValue(cell) }),
  },
];

export function ruleOf(cell: Cell): Rule {
  const rule = RULES.find((one) => one.holds(cell));
  if (rule === undefined) throw new Error("the last rule holds always");
  return rule;
}

/** How a page gets a setting back, before or after a save. */
export type Wire =
  | { sensitive: true; configured: boolean; from?: "now" | "then" }
  | { sensitive: false; value: Value | undefined };

/** A sealed value, and all of a sensitive setting, is only `configured`; of a plain one there is no origin. */
export function wireAfter(cell: Cell): Wire {
  const outcome = ruleOf(cell).outcome(cell);
  if ("refused" in outcome) return wireBefore(cell);
  if (outcome.stored === "sealed") return { sensitive: true, configured: true, from: outcome.from };
  if (hides(cell.now)) return { sensitive: true, configured: outcome.stored === "plain" };
  return { sensitive: false, value: outcome.stored === "plain" ? outcome.value : undefined };
}

/** What is stored, shown under the declaration of today. */
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
 * What the page offers before anybody touched it. Keep: where leaving it alone is not refused. Clear: where something is
 * stored that is not required. A secret shows nothing, and a Select no option that is not there.
 */
export function choicesOn(page: Omit<Cell, "action">): Choices {
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
  return ruleOf(cell).outcome(cell);
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

/** A row of the table: what is stored, and whether a Select of today offers it. */
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

/** Whether it is offered is a question for a Select alone: other columns have one row for both. */
export function arises({ then, offered }: Stored, now: Now): boolean {
  return now.type === "Select" || offered || then?.empty === true;
}

export const CELLS: readonly Cell[] = ACTIONS.flatMap((action) =>
  STOREDS.flatMap((stored) =>
    NOWS.filter((now) => arises(stored, now)).map((now) => ({ action, ...stored, now })),
  ),
).map((cell, index) => ({ ...cell, name: `cell-${index}` }));

export function kindInWords({ type, sensitive }: Kind): string {
  return sensitive ? `${type}, sensitive` : type;
}

export function storedInWords({ then, offered }: Stored): string {
  if (then === undefined) return "nothing";
  const what = `${kindInWords(then)}${then.empty ? ": empty" : ""}`;
  return offered || then.empty ? what : `${what}; not offered now`;
}

export function cellInWords(cell: Cell): string {
  const { action, now } = cell;
  const declared = `${kindInWords(now)}${now.required ? ", required" : ""}`;
  return `${action} · stored: ${storedInWords(cell)} · now: ${declared} (${cell.name})`;
}

/** The setting as the manifest of today declares it. Its Select offers the new value, and the stored one if it still does. */
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
