/** Parses text pasted into the table of values: lines of text, or two columns of a spreadsheet. */
import { deriveValue } from "@/lib/domain/manifest/outline/follow-text";

export interface SelectValue {
  text: string;
  value: string;
}

export interface PastedValues {
  values: SelectValue[];
  /** The number of values derived from their texts. */
  derived: number;
  /** A third column was left out. */
  hasMore: boolean;
}

/** Has several lines or columns. Other text is pasted into the cell itself. */
export function isTable(text: string): boolean {
  return /[\t\r\n]/.test(text.trim());
}

/** Derived values differ from `taken` ones. Empty lines are left out. */
export function parsePastedValues(text: string, taken: readonly string[] = []): PastedValues {
  const rows = dropHeading(splitRows(text).map((cells) => cells.map((cell) => cell.trim())));
  const { derive, keep } = createValues(taken);
  const result: PastedValues = { values: [], derived: 0, hasMore: false };
  for (const [first = "", second = "", ...more] of rows) {
    if (first === "" && second === "") continue;
    const shown = first === "" ? second : first;
    const value = second === "" ? derive(shown) : keep(second);
    if (second === "") result.derived += 1;
    if (more.some((cell) => cell !== "")) result.hasMore = true;
    result.values.push({ text: shown, value });
  }
  return result;
}

/** The text's value, or the first with a number that is not taken. */
export function deriveFreeValue(text: string, taken: readonly string[]): string {
  return createValues(taken).derive(text);
}

/** Derived values are unique: `-2`, `-3`, … is appended if necessary. */
function createValues(taken: readonly string[]) {
  const used = new Set(taken);
  const counts = new Map<string, number>();
  const keep = (value: string) => {
    used.add(value);
    return value;
  };
  const derive = (text: string) => {
    const base = deriveValue(text);
    for (let number = (counts.get(base) ?? 0) + 1; ; number += 1) {
      counts.set(base, number);
      const value = number === 1 ? base : `${base}-${number}`;
      if (!used.has(value)) return keep(value);
    }
  };
  return { keep, derive };
}

function dropHeading(rows: string[][]): string[][] {
  const [first] = rows;
  const isHeading = first?.[0]?.toLowerCase() === "text" && first[1]?.toLowerCase() === "value";
  return isHeading ? rows.slice(1) : rows;
}

/** Spreadsheets quote a cell with a line break, tab or quote, and double the quotes in it. */
const QUOTED = /"((?:[^"]|"")*)"/y;

function splitRows(source: string): string[][] {
  const text = source.replace(/^\uFEFF/, "");
  const delimiter = detectDelimiter(text);
  const rows: string[][] = [[]];
  let at = 0;
  while (at <= text.length) {
    const cell = quotedCell(text, at, delimiter) ?? plainCell(text, at, delimiter);
    rows.at(-1)?.push(cell.text);
    if (cell.end >= text.length) break;
    if (text[cell.end] === delimiter) at = cell.end + 1;
    else {
      rows.push([]);
      at = cell.end + (text.startsWith("\r\n", cell.end) ? 2 : 1);
    }
  }
  return rows;
}

/** A tab, or the character after the quoted first cell of every line, as in CSV. An unquoted comma may be part of the text. */
function detectDelimiter(text: string): string {
  if (text.includes("\t")) return "\t";
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  return [",", ";"].find((mark) => lines.every((line) => quotedCell(line, 0, mark)?.next === mark)) ?? "\t";
}

function quotedCell(text: string, at: number, delimiter: string) {
  QUOTED.lastIndex = at;
  const match = QUOTED.exec(text);
  if (match === null) return undefined;
  const end = at + match[0].length;
  const next = text[end];
  if (next !== undefined && next !== delimiter && next !== "\n" && next !== "\r") return undefined;
  return { text: (match[1] ?? "").replaceAll('""', '"').replace(/\s*[\r\n]+\s*/g, " "), end, next };
}

function plainCell(text: string, at: number, delimiter: string) {
  let end = at;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return { text: text.slice(at, end), end };
}
