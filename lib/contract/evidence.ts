/** What the platform finds out about a version under review before a moderator judges it. Times are ISO 8601 text. */
import * as z from "zod";
import { CHECK_NAMES } from "./check-names";

/** `CANCELED`: the review ended first. */
export const EVIDENCE_STATES = ["QUEUED", "RUNNING", "DONE", "FAILED", "CANCELED"] as const;

const CHECK_RESULTS = ["PASS", "WARN", "FAIL", "SKIPPED"] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

const evidenceCheck = z.object({
  name: z.enum(CHECK_NAMES),
  result: z.enum(CHECK_RESULTS),
  title: z.string(),
  /** What was seen, and what the publisher can do about it. */
  detail: z.string(),
  ms: z.number(),
});
export type EvidenceCheck = z.infer<typeof evidenceCheck>;

const evidenceFacts = z.object({
  /** Null for an example that is not an image. */
  image: z
    .object({
      digest: z.string(),
      /** Of the stored archive. */
      bytes: z.number(),
      layers: z.number(),
      /** Layers that the version approved last has too; null without one. */
      sharedLayers: z.number().nullable(),
      /** Empty if the image names none. The platform runs every app as 65532. */
      user: z.string(),
      exposedPorts: z.array(z.string()),
      /** Names only: values may be secrets. */
      environmentNames: z.array(z.string()),
      volumes: z.array(z.string()),
    })
    .nullable(),
  /** From the start to the first healthy answer; null until it was healthy. */
  startMs: z.number().nullable(),
  /** After the sample calls; null if the runtime can't tell. */
  memoryBytes: z.number().nullable(),
  /** Sample calls that were sent. */
  calls: z.number(),
});
export type EvidenceFacts = z.infer<typeof evidenceFacts>;

const evidenceView = z.object({
  state: z.enum(EVIDENCE_STATES),
  /** Why the checks could not be completed; null unless `FAILED`. */
  reason: z.string().nullable(),
  /** Null until the first facts are known. */
  facts: evidenceFacts.nullable(),
  /** Those that have ended, in the order of `CHECK_NAMES`. */
  checks: z.array(evidenceCheck),
  queuedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
});
export type EvidenceView = z.infer<typeof evidenceView>;

/** Null for reviews of only the text, and for those that were submitted before the platform checked versions. */
export const evidenceAnswer = z.object({ evidence: evidenceView.nullable() });
