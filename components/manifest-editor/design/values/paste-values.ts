/** What a person pastes into a table of values: lines of text, or two columns of a spreadsheet. */

export interface SelectValue {
  text: string;
  value: string;
}

export interface PastedValues {
  values: SelectValue[];
  /** Values that were made from their texts, since the paste has none for them. */
  derived: number;
  /** The paste has a third column, which is left out. */
  hasMore: boolean;
}

/** More than one line, or more than one column; anything else is ordinary text for the cell itself. */
export function isTable(text: string): boolean {
  return /[\t\r\n]/.test(text.trim());
}

/** `taken`: values that are there already; made ones keep away from them. Lines without any text are left out. */
export function parsePastedValues(text: string, taken: readonly string[] = []): PastedValues {
  const rows = dropHeading(rowsOf(text).map((cells) => cells.map((cell) => cell.trim())));
  const free = valueMaker(taken);
  const result: PastedValues = { values: [], derived: 0, hasMore: false };
  for (const [first = "", second = "", ...more] of rows) {
    if (first === "" && second === "") continue;
    const shown = first === "" ? second : first;
    const value = second === "" ? free.made(shown) : free.kept(second);
    if (second === "") result.derived += 1;
    if (more.some((cell) => cell !== "")) result.hasMore = true;
    result.values.push({ text: shown, value });
  }
  return result;
}

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

/** A value made of a text: "Håbor & Söhne" → "habor-sohne". A text without Latin letters or digits stands for itself. */
export function valueOf(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[ßæœøłđðþ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return slug === "" ? text.trim() : slug;
}

/** Makes values that differ from those that were there: the text's own, or with `-2`, `-3`, … after it. */
function valueMaker(taken: readonly string[]) {
  const used = new Set(taken);
  const counts = new Map<string, number>();
  const kept = (value: string) => {
    used.add(value);
    return value;
  };
  const made = (text: string) => {
    const base = valueOf(text);
    for (let number = (counts.get(base) ?? 0) + 1; ; number += 1) {
      counts.set(base, number);
      const value = number === 1 ? base : `${base}-${number}`;
      if (!used.has(value)) return kept(value);
    }
  };
  return { kept, made };
}

function dropHeading(rows: string[][]): string[][] {
  const [first] = rows;
  const isHeading = first?.[0]?.toLowerCase() === "text" && first[1]?.toLowerCase() === "value";
  return isHeading ? rows.slice(1) : rows;
}

/** Spreadsheets put quotes around a cell that holds a line break, a tab or a quote, and double the quotes within. */
const QUOTED = /"((?:[^"]|"")*)"/y;

function rowsOf(source: string): string[][] {
  const text = source.replace(/^\uFEFF/, "");
  const between = delimiterOf(text);
  const rows: string[][] = [[]];
  let at = 0;
  while (at <= text.length) {
    const cell = quotedCell(text, at, between) ?? plainCell(text, at, between);
    rows.at(-1)?.push(cell.text);
    if (cell.end >= text.length) break;
    if (text[cell.end] === between) at = cell.end + 1;
    else {
      rows.push([]);
      at = cell.end + (text.startsWith("\r\n", cell.end) ? 2 : 1);
    }
  }
  return rows;
}

/** A tab, or what follows the quoted first cell of every line, as in a CSV file. A bare comma may belong to the text. */
function delimiterOf(text: string): string {
  if (text.includes("\t")) return "\t";
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  return [",", ";"].find((mark) => lines.every((line) => quotedCell(line, 0, mark)?.next === mark)) ?? "\t";
}

function quotedCell(text: string, at: number, between: string) {
  QUOTED.lastIndex = at;
  const match = QUOTED.exec(text);
  if (match === null) return undefined;
  const end = at + match[0].length;
  const next = text[end];
  if (next !== undefined && next !== between && next !== "\n" && next !== "\r") return undefined;
  return { text: (match[1] ?? "").replaceAll('""', '"').replace(/\s*[\r\n]+\s*/g, " "), end, next };
}

function plainCell(text: string, at: number, between: string) {
  let end = at;
  while (end < text.length && text[end] !== between && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return { text: text.slice(at, end), end };
}
