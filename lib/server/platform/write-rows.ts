/** Lists as files for spreadsheets and programs, written while they are read. */
import type { ExportFormat } from "@/lib/contract/platform/audit-view";
import { csvLine } from "@/lib/domain/platform/text";
import { UTC } from "@/lib/domain/platform/zone";
import { toLocalTime } from "@/lib/domain/platform/zoned-time";

export const EXPORT_TYPES = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
  json: "application/json",
} as const satisfies Record<ExportFormat, string>;

/** Without it, Excel reads a CSV file as Windows-1252. */
const BYTE_ORDER_MARK = "\uFEFF";

/** A column's name, and its value in a row. */
export type Column<Row> = readonly [name: string, read: (row: Row) => unknown];

/** Pages of a list as a file. A column `at` is the moment of each row, which a sheet shows in the reader's zone, too. */
export async function* writeRows<Row>(
  pages: AsyncGenerator<readonly Row[]>,
  columns: readonly Column<Row>[],
  format: ExportFormat,
  zone = UTC,
): AsyncGenerator<string> {
  // A sheet loses an offset, so the column's name says the zone.
  const moment = columns.find(([name]) => name === "at");
  const local: readonly Column<Row>[] =
    moment === undefined ? [] : [[`local time (${zone})`, (row) => toLocal(moment[1](row), zone)]];
  const cells = [...columns, ...local];
  if (format === "csv") yield BYTE_ORDER_MARK + csvLine(cells.map(([name]) => name));
  let isEmpty = true;
  for await (const rows of pages) {
    const before = isEmpty ? "[\n" : ",\n";
    if (format === "csv")
      yield rows.map((row) => csvLine(cells.map(([, read]) => toCell(read(row))))).join("");
    else if (format === "jsonl") yield rows.map((row) => `${toJson(row, columns)}\n`).join("");
    else if (rows.length > 0) yield before + rows.map((row) => toJson(row, columns)).join(",\n");
    isEmpty &&= rows.length === 0;
  }
  if (format === "json") yield isEmpty ? "[]\n" : "\n]\n";
}

function toLocal(at: unknown, zone: string): string {
  return toLocalTime(String(at), zone).replace("T", " ");
}

function toCell(value: unknown): string | number {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string" || typeof value === "number") return value;
  return JSON.stringify(value);
}

function toJson<Row>(row: Row, columns: readonly Column<Row>[]): string {
  return JSON.stringify(Object.fromEntries(columns.map(([name, read]) => [name, read(row)])));
}

interface Exported {
  /** The slug of an organization, or `platform`. */
  owner: string;
  what: string;
  /** The first and the last day, as `2026-11-28`. */
  from?: string;
  to?: string;
  format: ExportFormat;
}

/** Such as `harbor-calls-2026-11-01-to-2026-11-28.csv`: two files of one folder can be told apart. */
export function nameExport(
  { owner, what, from, to, format }: Exported,
  zone = UTC,
  now = new Date(),
): string {
  const last = to ?? dayOf(now, zone);
  const days = from === undefined ? `until-${last}` : from === last ? last : `${from}-to-${last}`;
  return `${owner}-${what}-${days}.${format}`;
}

export function dayOf(moment: Date, zone: string): string {
  return toLocalTime(moment.toISOString(), zone).slice(0, 10);
}
