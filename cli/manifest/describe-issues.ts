/** Issues of a source text as compilers show them: where, what, the line with the part underlined, and how to fix it. */
import type { Issue } from "@/lib/contract/platform/problem";
import { endOfString, endOfValue } from "@/lib/domain/platform/json-text/json-source";
import type { Terminal } from "../terminal/environment";
import { visible } from "../terminal/failure";
import { style } from "../terminal/format";

export interface Source {
  /** As it is shown: a path, or `<stdin>`. */
  name: string;
  text: string;
}

export function describeIssues(
  issues: readonly Issue<string>[],
  { name, text }: Source,
  terminal: Pick<Terminal, "color" | "columns">,
): string[] {
  const { bold, cyan, dim, red, yellow } = style(terminal);
  const paint = { error: red, warning: yellow, hint: cyan };
  return issues.flatMap(({ line = 1, column = 1, severity = "error", code, message, hint }) => {
    const number = String(line);
    const gutter = `${" ".repeat(number.length)} ${dim("|")}`;
    const shown = showSource(text, line, column, Math.max(40, terminal.columns - number.length - 5));
    const lines = [
      `${bold(`${visible(name)}:${line}:${column}`)} ${paint[severity](severity)} ${dim(code)} ${visible(message)}`,
      `  ${dim(number)} ${dim("|")} ${shown.line}`,
      `  ${gutter} ${paint[severity](shown.mark)}`,
    ];
    return [...lines, ...(hint === undefined ? [] : [`  ${gutter} ${visible(hint)}`]), ""];
  });
}

interface ShownSource {
  line: string;
  /** Blanks and tildes, to print below the line. */
  mark: string;
}

/** Of the line before the part, where the line is too long. */
const COLUMNS_BEFORE = 24;

/**
 * The line of a source text that an issue is about, with the offending part underlined. Line and column of the part start at 1; columns
 * count UTF-16 units.
 */
export function showSource(text: string, line: number, column: number, width: number): ShownSource {
  const lineStart = startOfLine(text, line);
  const next = text.indexOf("\n", lineStart);
  const source = text.slice(lineStart, next === -1 ? undefined : next).replace(/\r$/, "");
  const start = Math.min(column - 1, source.length);
  const end = Math.max(start + 1, Math.min(source.length, endOfPart(text, lineStart + start) - lineStart));
  // A line may be a megabyte long, so it is cut before its characters are looked at.
  const from = Math.max(0, start - 4 * width);
  const near = source.slice(from, start + 4 * width).replace(/^\uFEFF/, "\uFFFD");
  return shorten(near, { start: start - from, end: end - from, isCut: from > 0 }, width);
}

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let each = 1; each < line; each += 1) {
    const next = text.indexOf("\n", at);
    if (next === -1) return at;
    at = next + 1;
  }
  return at;
}

/** The offset after the value, key or word at `start`. The text may be broken there. */
function endOfPart(text: string, start: number): number {
  const first = text[start] ?? "";
  if (first === '"') return endOfString(text, start);
  if (first === "{" || first === "[") return endOfContainer(text, start);
  const word = /^[^\s,:[\]{}"]+/.exec(text.slice(start, start + 1000));
  return start + (word?.[0].length ?? 1);
}

function endOfContainer(text: string, start: number): number {
  try {
    return endOfValue(text, start);
  } catch {
    return start + 1;
  }
}

/** Cuts what doesn't fit, so that the marked part stays in sight. */
function shorten(
  source: string,
  { start, end, isCut }: { start: number; end: number; isCut: boolean },
  width: number,
): ShownSource {
  const cells = toCells(source.trimEnd().length >= end ? source.trimEnd() : source);
  const indent = cells.findIndex(({ text }) => text.trim() !== "");
  const marked = cells.findIndex(({ at }, each) => start < (cells[each + 1]?.at ?? Infinity) && at <= start);
  const total = textWidth(source.trimEnd());
  const first = total <= width && !isCut ? 0 : firstShown(cells, Math.max(0, marked), Math.max(0, indent));
  let [line, before, under] = [first > 0 ? "…" : "", first > 0 ? 1 : 0, 0];
  let used = before;
  for (const { text, columns, at } of cells.slice(first)) {
    if (used + columns > width - 1 && total > width) {
      line += "…";
      break;
    }
    line += visible(text);
    used += columns;
    if (at >= end) continue;
    if (at < start && !isInside(cells, at, start)) before += columns;
    else under += columns;
  }
  return { line, mark: `${" ".repeat(before)}${"~".repeat(Math.max(1, under))}` };
}

/** Whether the cell at `at` contains the offset, such as half of a character. */
function isInside(cells: ReturnType<typeof toCells>, at: number, offset: number): boolean {
  const next = cells.find((cell) => cell.at > at);
  return offset < (next?.at ?? Infinity);
}

/** The first cell that is shown: the marked one with a part of what comes before it. */
function firstShown(cells: ReturnType<typeof toCells>, marked: number, indent: number): number {
  let columns = 0;
  let first = marked;
  while (first > 0 && columns + (cells[first - 1]?.columns ?? 0) <= COLUMNS_BEFORE) {
    first -= 1;
    columns += cells[first]?.columns ?? 0;
  }
  return first <= indent + 1 ? 0 : first;
}

/** How many columns of a terminal a text takes. */

const SEGMENTER = new Intl.Segmenter("en", { granularity: "grapheme" });
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}])/u;
const MARK_ONLY = /^[\p{Mark}\u200B-\u200D\uFE0F]+$/u;

interface Cell {
  /** What is printed. */
  text: string;
  columns: number;
  /** Where it starts in the text, in UTF-16 units. */
  at: number;
}

/** The characters as a reader sees them, with a tab as two blanks. */
function toCells(text: string): Cell[] {
  return [...SEGMENTER.segment(text)].map(({ segment, index: at }) => {
    if (segment === "\t") return { text: "  ", columns: 2, at };
    if (MARK_ONLY.test(segment)) return { text: segment, columns: 0, at };
    return { text: segment, columns: WIDE.test(segment) ? 2 : 1, at };
  });
}

export function textWidth(text: string): number {
  return toCells(text).reduce((sum, { columns }) => sum + columns, 0);
}
