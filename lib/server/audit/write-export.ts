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

const TYPES = { csv: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" } as const;

/** A file that is written while it is read: a trail may be larger than memory. */
export function respondWithExport(
  pages: AsyncGenerator<AuditView[]>,
  format: ExportFormat,
  name: string,
): Response {
  const encoder = new TextEncoder();
  let head = format === "csv" ? csvLine(COLUMNS) : "";
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pages.next();
      const text = head + (done === true ? "" : value.map(format === "csv" ? toCsv : toJson).join(""));
      head = "";
      if (text !== "") controller.enqueue(encoder.encode(text));
      if (done === true) controller.close();
    },
    cancel: () => void pages.return(undefined),
  });
  const headers = {
    "content-type": TYPES[format],
    "content-disposition": `attachment; filename="${name}.${format}"`,
    "cache-control": "no-store",
  };
  return new Response(body, { headers });
}

function toCsv(row: AuditView): string {
  return csvLine(COLUMNS.map((column) => (column === "details" ? JSON.stringify(row.details) : row[column])));
}

function toJson(row: AuditView): string {
  return `${JSON.stringify(Object.fromEntries(COLUMNS.map((column) => [column, row[column]])))}\n`;
}
