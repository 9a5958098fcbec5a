import type { AuditView, ExportFormat } from "@/lib/contract/audit-view";
import { csvLine } from "@/lib/domain/csv";

const COLUMNS = [
  "position",
  "at",
  "actor",
  "actorName",
  "action",
  "subject",
  "subjectName",
  "details",
  "chain",
] as const satisfies readonly (keyof AuditView)[];

export const EXPORT_TYPES = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
} as const;

/** A trail as a file, a page at a time. */
export async function* writeExport(
  pages: AsyncGenerator<AuditView[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === "csv") yield csvLine(COLUMNS);
  for await (const rows of pages) yield rows.map(format === "csv" ? toCsv : toJson).join("");
}

function toCsv(row: AuditView): string {
  return csvLine(COLUMNS.map((column) => (column === "details" ? JSON.stringify(row.details) : row[column])));
}

function toJson(row: AuditView): string {
  return `${JSON.stringify(Object.fromEntries(COLUMNS.map((column) => [column, row[column]])))}\n`;
}
