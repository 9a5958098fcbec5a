import { inspect } from "node:util";
import type { Terminal } from "./environment";
import { Failure } from "./failure";

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "cyan" | "underline";

/** Styles texts for a terminal. Without color, each function returns its text: `style(terminal).red("failed")`. */
export function style({ color }: Pick<Terminal, "color">): Record<Style, (text: string) => string> {
  const paint = (name: Style) => (text: string) => {
    const [start, end] = inspect.colors[name] ?? [];
    return color && start !== undefined ? `\u001B[${start}m${text}\u001B[${end}m` : text;
  };
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    blue: paint("blue"),
    cyan: paint("cyan"),
    underline: paint("underline"),
  };
}

export interface Cell {
  text: string;
  /** Applied after the text is padded, so that colors don't count as width. */
  paint?: (text: string) => string;
  /** Aligned to the right, such as numbers. */
  right?: boolean;
}

export type Row = readonly (Cell | string)[];

/** Lines whose columns are aligned. The last column is not padded. */
export function alignRows(rows: readonly Row[], gap = "  "): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, [...toCell(cell).text].length);
    });
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const { text, paint = (plain) => plain, right = false } = toCell(cell);
        const blanks = " ".repeat((widths[index] ?? 0) - [...text].length);
        if (right) return blanks + paint(text);
        return index === row.length - 1 ? paint(text) : paint(text) + blanks;
      })
      .join(gap)
      .trimEnd(),
  );
}

function toCell(cell: Cell | string): Cell {
  return typeof cell === "string" ? { text: cell } : cell;
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** How long ago, such as `5m ago`. Older than a month: the date. */
export function describeAge(moment: string, now = Date.now()): string {
  const ms = now - Date.parse(moment);
  if (ms < UNITS.m) return "just now";
  if (ms < UNITS.h) return `${Math.floor(ms / UNITS.m)}m ago`;
  if (ms < UNITS.d) return `${Math.floor(ms / UNITS.h)}h ago`;
  if (ms < 30 * UNITS.d) return `${Math.floor(ms / UNITS.d)}d ago`;
  return moment.slice(0, "2026-01-31".length);
}

/** The time of day where the user is, to the millisecond. */
export function describeClock(moment: string): string {
  const date = new Date(moment);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${parts.join(":")}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Reads `--since`: how long ago, such as `10m`, or a time with a time zone. Returns ISO 8601. */
export function readSince(text: string, now = Date.now()): string {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined && (unit === "s" || unit === "m" || unit === "h" || unit === "d"))
    return new Date(now - Number(count) * UNITS[unit]).toISOString();
  const isTime = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text));
  if (isTime) return new Date(text).toISOString();
  throw new Failure(
    "WRONG_USAGE",
    `"${text}" is not a valid time for --since. Use 30s, 10m, 2h, 7d, or a time such as 2026-01-31T12:00:00Z.`,
  );
}

/** A word as a shell reads it, for commands that are shown. */
export function quote(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
