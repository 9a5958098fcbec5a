/** The editor's draft of a listing's manifest: text as typed, broken or not, with a revision. */
import { z } from "zod";
import { MANIFEST_LIMITS } from "./manifest";
import type { Issue } from "./problem";

/** An issue as the server reports it. Not in `problem.ts`, so that pages can show problems without loading zod. */
export const issueShape = z.object({
  code: z.string(),
  pointer: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  severity: z.enum(["error", "warning"]).optional(),
  line: z.number().optional(),
  column: z.number().optional(),
}) satisfies z.ZodType<Issue>;

const draftText = z
  .string()
  .max(MANIFEST_LIMITS.bytes, "A manifest has at most 1 MiB.")
  .refine(
    (text) => new TextEncoder().encode(text).length <= MANIFEST_LIMITS.bytes,
    "A manifest has at most 1 MiB of UTF-8.",
  );

/** One byte of the text takes at most six in JSON, as `\u0001` does; the rest of the body takes little. */
export const DRAFT_BODY_BYTES = 6 * MANIFEST_LIMITS.bytes + 4096;

export const manifestDraft = z.object({
  text: z.string(),
  /** Goes up by one with each save; 0 when nothing was saved yet. */
  revision: z.int().min(0),
  /** The published version that the draft was last compared with; null before the first. */
  baseVersionId: z.uuid().nullable(),
  /** ISO 8601; null when nothing was saved yet. */
  updatedAt: z.string().nullable(),
  /** A person's name, or `API key <name>`. */
  updatedBy: z.string().nullable(),
});
export type ManifestDraft = z.infer<typeof manifestDraft>;

/** A save names the revision that it was made from: 409 `STALE_REVISION` when another save came first. */
export const saveDraftInput = z.strictObject({
  text: draftText,
  revision: z.int().min(0),
  baseVersionId: z.uuid().nullable(),
});
export type SaveDraftInput = z.infer<typeof saveDraftInput>;

/** Of the command line: `revision: null` overwrites whatever is there. */
export const pushDraftInput = z.strictObject({ text: draftText, revision: z.int().min(0).nullable() });
export type PushDraftInput = z.infer<typeof pushDraftInput>;

/** What `platform-app manifest pull` gets. */
export const pulledDraft = manifestDraft.omit({ baseVersionId: true }).extend({
  /** `<org-name>/<app-name>`. */
  name: z.string(),
  /** `version`: nothing was saved yet, so it is the newest version's. `new`: there is no version either. */
  source: z.enum(["draft", "version", "new"]),
});
export type PulledDraft = z.infer<typeof pulledDraft>;

/** A broken manifest is saved all the same. */
export const pushedDraft = z.object({ revision: z.int(), issues: z.array(issueShape) });
export type PushedDraft = z.infer<typeof pushedDraft>;

export const savedDraft = manifestDraft.omit({ text: true });
export type SavedDraft = z.infer<typeof savedDraft>;

/**
 * What the draft may ask of the installations that live now: counts alone, which no stored value changes. Where a choice
 * drops values, or a text becomes one, every installation that has an answer counts.
 */
export const manifestImpact = z.object({
  /** Of which draft. */
  revision: z.int(),
  installations: z.int(),
  /** Installations that may have to fill in something. */
  affected: z.int(),
  /** Empty when the draft is broken, with `broken: true`. */
  mustFill: z.array(
    z.object({
      kind: z.enum(["setting", "mapping"]),
      name: z.string(),
      title: z.string(),
      installations: z.int(),
    }),
  ),
  broken: z.boolean(),
});
export type ManifestImpact = z.infer<typeof manifestImpact>;

export const releaseInput = z.strictObject({ revision: z.int().min(1) });

/** A release gives the draft its number, so the draft comes back changed. */
export const released = z.object({ versionId: z.uuid(), number: z.string(), draft: manifestDraft });
export type Released = z.infer<typeof released>;

export const versionManifest = z.object({ versionId: z.uuid(), number: z.string(), text: z.string() });
export type VersionManifest = z.infer<typeof versionManifest>;
