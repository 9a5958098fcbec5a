/** The table of `docs/secrets.md`, written from the rules that its cells are tested by. */
import {
  ACTIONS,
  arises,
  CELLS,
  choicesOn,
  kindInWords,
  NOWS,
  RULES,
  ruleOf,
  STOREDS,
  storedInWords,
  type Action,
  type Now,
  type Stored,
} from "./secret-cells";

const HEADS = NOWS.map((now) => `${kindInWords(now)}${now.required ? ", required" : ""}`);
const ACTION_WORDS: Record<Action, string> = {
  keep: "Keep",
  set: "Set a value (a Select: one that it offers)",
  "set empty": 'Set `""`',
  "set asterisks": 'Set `"********"`',
  clear: "Clear",
  absent: "Left out",
};

export function secretTable(): string {
  return [
    "## The rules\n\nThe first that holds counts.",
    table(
      ["", "when", "then", "in the tables"],
      RULES.map(({ when, then, mark }, index) => [`${index + 1}`, when, then, `\`${mark}\``]),
    ),
    `## The cells\n\n${CELLS.length} of them. Rows: what is stored, by the declaration it was entered under. Columns: the declaration of today. A dot: does not arise.`,
    ...ACTIONS.map(
      (action) => `### ${ACTION_WORDS[action]}\n\n${matrix((stored, now) => markOf(action, stored, now))}`,
    ),
    "## The page\n\nWhat a form offers before anybody touched it: hidden or shown, then the choices; the one that is chosen first is in capitals. “Shown” stands with what is stored in the input.",
    matrix(pageOf),
  ].join("\n\n");
}

function markOf(action: Action, stored: Stored, now: Now): string {
  return `\`${ruleOf({ name: "", action, now, ...stored }).mark}\``;
}

function pageOf(stored: Stored, now: Now): string {
  const { kind, keep, clear, first, shown } = choicesOn({ name: "", now, ...stored });
  const offered = [
    ...(keep ? ["keep"] : []),
    "set",
    ...(clear ? ["clear"] : first === "skip" ? ["skip"] : []),
  ];
  const choices = offered.map((choice) => (choice === first ? choice.toUpperCase() : choice));
  const state = kind === "secret" ? "hidden" : shown === undefined ? "empty" : "shown";
  return `${state}: ${choices.join(" ")}`;
}

function matrix(cell: (stored: Stored, now: Now) => string): string {
  return table(
    ["stored", ...HEADS],
    STOREDS.map((stored) => [
      storedInWords(stored),
      ...NOWS.map((now) => (arises(stored, now) ? cell(stored, now) : "·")),
    ]),
  );
}

function table(heads: string[], rows: string[][]): string {
  const widths = heads.map((head, at) =>
    Math.max(3, ...[head, ...rows.map((row) => row[at] ?? "")].map((text) => text.length)),
  );
  const line = (cells: string[]) =>
    `| ${cells.map((text, at) => text.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(heads), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)].join(
    "\n",
  );
}
