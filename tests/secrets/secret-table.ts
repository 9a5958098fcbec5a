/** Writes the table of `docs/secrets.md` from the rules that test its cells. */
import {
  ACTIONS,
  canOccur,
  CELLS,
  listChoices,
  describeKind,
  NOWS,
  RULES,
  findRule,
  STOREDS,
  describeStored,
  type Action,
  type Now,
  type Stored,
} from "./secret-cells";

const HEADS = NOWS.map((now) => `${describeKind(now)}${now.required ? ", required" : ""}`);
const ACTION_LABELS: Record<Action, string> = {
  keep: "Keep",
  set: "Set a value (for a Select: one that it offers)",
  "set empty": 'Set `""`',
  "set asterisks": 'Set `"********"`',
  clear: "Clear",
  absent: "Left out",
};

export function secretTable(): string {
  return [
    "## The rules\n\nThe first rule that matches applies.",
    table(
      ["", "when", "then", "in the tables"],
      RULES.map(({ when, then, mark }, index) => [`${index + 1}`, when, then, `\`${mark}\``]),
    ),
    `## The cells\n\n${CELLS.length} cells. Rows: what is stored, by the declaration under which it was entered. Columns: the declaration of today. A dot: cannot occur.`,
    ...ACTIONS.map(
      (action) => `### ${ACTION_LABELS[action]}\n\n${matrix((stored, now) => readMark(action, stored, now))}`,
    ),
    "## The page\n\nWhat a form offers before the customer touches it: hidden or shown, then the choices, with the initial choice in capitals. “Shown”: the input has the stored value.",
    matrix(describePage),
  ].join("\n\n");
}

function readMark(action: Action, stored: Stored, now: Now): string {
  return `\`${findRule({ name: "", action, now, ...stored }).mark}\``;
}

function describePage(stored: Stored, now: Now): string {
  const { kind, keep, clear, first, shown } = listChoices({ name: "", now, ...stored });
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
      describeStored(stored),
      ...NOWS.map((now) => (canOccur(stored, now) ? cell(stored, now) : "·")),
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
