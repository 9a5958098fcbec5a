/** The editor's draft of a listing's manifest: text as typed, broken or not, with a revision. */
import * as z from "zod";
import { MANIFEST_LIMITS } from "../platform/manifest-terms";
import { type Issue, SEVERITIES } from "../platform/problem";
import { releaseNotes } from "./listing";

/** An issue as the server reports it. Not in `problem.ts`, so that pages can show problems without loading zod. */
export const issueShape = z.object({
  code: z.string(),
  pointer: z.string().meta({ description: "Where it is, as a JSON pointer. Empty: the whole document." }),
  message: z.string().meta({ description: "What is wrong." }),
  hint: z.string().optional().meta({ description: "How to fix it." }),
  severity: z.enum(SEVERITIES).optional().meta({ description: "If it is absent, `error`." }),
  line: z.number().optional().meta({ description: "The first is 1." }),
  column: z.number().optional().meta({ description: "The first is 1." }),
}) satisfies z.ZodType<Issue<string>>;

const draftText = z
  .string()
  .max(MANIFEST_LIMITS.bytes, "A manifest can be up to 1 MiB.")
  .refine(
    (text) => new TextEncoder().encode(text).length <= MANIFEST_LIMITS.bytes,
    "A manifest can be up to 1 MiB.",
  );

/** One byte of text takes up to six in JSON, such as `\u0001`; the rest of the body is small. */
export const DRAFT_BODY_BYTES = 6 * MANIFEST_LIMITS.bytes + 4096;

/** As large as the database counts. A larger number would be an error there. */
const revision = z.int().min(0).max(2_147_483_647);

export const manifestDraft = z.object({
  text: z.string(),
  /** Increases by one with each save; 0 before the first. */
  revision: z.int().min(0),
  /** The published version that the draft was last compared with; null before the first. */
  baseVersionId: z.uuid().nullable(),
  /** ISO 8601; null before the first save. */
  updatedAt: z.string().nullable(),
  /** A user's name, or `API key <name>`. */
  updatedBy: z.string().nullable(),
});
export type ManifestDraft = z.infer<typeof manifestDraft>;

/** `revision`: the one the draft was made from. 409 `STALE_REVISION` if another save came first. */
export const saveDraftInput = z.strictObject({
  text: draftText,
  revision,
  baseVersionId: z.uuid().nullable(),
});
export type SaveDraftInput = z.infer<typeof saveDraftInput>;

/** From the command line. `revision: null` overwrites any saved draft. */
export const pushDraftInput = z.strictObject({ text: draftText, revision: revision.nullable() });
export type PushDraftInput = z.infer<typeof pushDraftInput>;

/** What `platform-app` receives before it pulls or publishes. */
export const pulledDraft = manifestDraft.omit({ baseVersionId: true }).extend({
  /** `<org-name>/<app-name>`. */
  name: z.string(),
  /** `version`: no draft was saved, so this is the newest version's manifest. `new`: no version exists either. */
  source: z.enum(["draft", "version", "new"]),
  /** The highest published version; the next number is above it. */
  newest: z.object({ number: z.string(), imageDigest: z.string() }).nullable(),
  /** SHA-256 of each version's manifest without its number: a file with one of them has no local changes. */
  published: z.array(z.string()),
});
export type PulledDraft = z.infer<typeof pulledDraft>;

/** A draft is saved even if it has errors. */
export const pushedDraft = z.object({ revision: z.int(), issues: z.array(issueShape) });
export type PushedDraft = z.infer<typeof pushedDraft>;

export const savedDraft = manifestDraft.omit({ text: true });
export type SavedDraft = z.infer<typeof savedDraft>;

/**
 * How many current installations the draft may affect. Counts only, independent of stored values: if a Select drops a
 * value, or a Text becomes a Select, every installation with an answer counts.
 */
export const manifestImpact = z.object({
  /** The draft's revision. */
  revision: z.int(),
  installations: z.int(),
  /** Installations that may need new answers. */
  affected: z.int(),
  /** Installations whose customers are asked whether to open an endpoint that becomes public. */
  asksToOpen: z.int(),
  /** Empty if `broken`. */
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

export const releaseInput = z.strictObject({ revision: revision.min(1), notes: releaseNotes.default("") });
export type ReleaseInput = z.infer<typeof releaseInput>;

/** A release sets the draft's version number, so the draft is returned too. */
export const released = z.object({ versionId: z.uuid(), number: z.string(), draft: manifestDraft });
export type Released = z.infer<typeof released>;

export const versionManifest = z.object({ versionId: z.uuid(), number: z.string(), text: z.string() });
export type VersionManifest = z.infer<typeof versionManifest>;

// What is published, if it isn't sent as it is.

/** `os/architecture`, or with a variant. */
export const imagePlatform = z
  .string()
  .regex(
    /^[a-z0-9]{1,20}\/[a-z0-9_]{1,20}(\/[a-z0-9.]{1,20})?$/,
    "Use a platform such as linux/amd64 or linux/amd64/v2.",
  );

/** An image that is in a registry. */
export const publishFromInput = z.strictObject({
  from: z
    .string()
    .max(500)
    .meta({ description: "The image with its digest, for example `registry.example/team/app@sha256:…`." }),
  username: z.string().max(300).optional().meta({ description: "Used once, and not stored." }),
  password: z.string().max(10_000).optional(),
  notes: releaseNotes.optional(),
});

export type PublishFromInput = z.infer<typeof publishFromInput>;

/** An image that was sent blob by blob. */
const publishSentInput = z.strictObject({
  manifest: z.string().meta({ description: "An OCI image manifest. Upload the blobs that it names first." }),
  notes: releaseNotes.optional(),
});

export const publishInput = z.union([publishSentInput, publishFromInput]);
