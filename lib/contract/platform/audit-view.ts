import * as z from "zod";
import { Problem } from "./problem";
import { isAuditAction } from "./audit";

/** `<kind>:<name>`, as trails record actors and subjects. */
const reference = z.string().regex(/^[a-z][a-z-]{0,30}(:[\w.-]{1,100})?$/);
const day = z.iso.date();

/** Filters of a trail, from the URL. Anything invalid means no filter. */
export const auditFilter = z.object({
  actor: reference.optional().catch(undefined),
  action: z.string().refine(isAuditAction).optional().catch(undefined),
  subject: reference.optional().catch(undefined),
  /** The first and the last day, in the reader's time zone. */
  from: day.optional().catch(undefined),
  to: day.optional().catch(undefined),
});
export type AuditFilter = z.infer<typeof auditFilter>;

/** Changes that a filter shows are counted up to here. */
export const MOST_AUDITED = 10_000;

/** `jsonl`: a JSON object in each line. `json`: one document, an array of them. */
export const EXPORT_FORMATS = ["csv", "jsonl", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** CSV unless another one is named. Throws BAD_INPUT for one that does not exist. */
export function readExportFormat(named: string = "csv"): ExportFormat {
  const format = EXPORT_FORMATS.find((each) => each === named);
  if (format === undefined)
    throw new Problem("BAD_INPUT", `There is no such format. Set "format" to ${EXPORT_FORMATS.join(", ")}.`);
  return format;
}

/** A row as pages and exports show it. */
export interface AuditView {
  id: string;
  /** Its organization's id, or `platform`. */
  chain: string;
  /** From 1, without gaps within its chain. */
  position: number;
  /** ISO 8601. */
  at: string;
  actor: string;
  actorName: string;
  action: string;
  subject: string;
  subjectName: string;
  details: Record<string, unknown>;
}

/** What one step of a verification found. */
export const verificationStep = z.object({
  /** The last row that is verified. */
  position: z.number(),
  /** The whole trail was verified, or an issue was found. */
  done: z.boolean(),
  issue: z.object({ position: z.number(), reason: z.string() }).optional(),
});
export type VerificationStep = z.infer<typeof verificationStep>;

/** A position of a trail from a URL; 0, its beginning, for anything else. */
export function readPosition(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}
