/** What moderators and publishers send and read about reviews. */
import * as z from "zod";
import { TEXT_FIELDS } from "../catalog/listing-terms";
import { atMost } from "../platform/text";
import { linkToken, neededText, shownText } from "../platform/text-shapes";
import { CHECK_NAMES } from "./check-names";

const commentBody = shownText.min(1, "Write a comment.").max(4000, atMost(4000));

/** What a comment is about: a line of the version's manifest, one of the automatic checks, or a field of the text. */
const commentAnchor = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("manifest"), line: z.int().min(1) }),
  z.strictObject({ type: z.literal("check"), name: z.enum(CHECK_NAMES) }),
  z.strictObject({ type: z.literal("text"), field: z.enum(TEXT_FIELDS) }),
]);
export type CommentAnchor = z.infer<typeof commentAnchor>;

/** `quote`: what was there when the comment was written. */
export type StoredAnchor = CommentAnchor & { quote: string };

export const commentInput = z
  .strictObject({
    body: commentBody,
    anchor: commentAnchor.optional(),
    /** The comment that it replies to: one that starts a thread. */
    parentId: z.uuid().optional(),
  })
  .refine(({ anchor, parentId }) => anchor === undefined || parentId === undefined, {
    path: ["anchor"],
    message: "A reply can't have its own anchor. Remove the anchor.",
  });
export type CommentInput = z.infer<typeof commentInput>;

export const commentEdit = z.strictObject({ body: commentBody });

export const commentResolution = z.strictObject({ resolved: z.boolean() });

const moment = z.iso.datetime();

export const commentView = z.object({
  id: z.uuid(),
  parentId: z.uuid().nullable(),
  author: z.string(),
  /** Written as a moderator; otherwise for the publisher. */
  moderator: z.boolean(),
  mine: z.boolean(),
  body: z.string(),
  anchor: z
    .object({
      type: z.enum(["manifest", "check", "text"]),
      line: z.int().optional(),
      name: z.string().optional(),
      field: z.enum(TEXT_FIELDS).optional(),
      quote: z.string(),
    })
    .nullable(),
  createdAt: moment,
  editedAt: moment.nullable(),
  /** Until when its author can edit it. */
  editableUntil: moment,
  resolvedAt: moment.nullable(),
  resolvedBy: z.string().nullable(),
});
export type CommentView = z.infer<typeof commentView>;

export const commentList = z.object({ comments: z.array(commentView) });

/** Where the sandbox's launch wizard or installation is. */
export const sandboxAnswer = z.object({ href: z.string() });

const reason = shownText
  .min(1, "Enter a reason. It is shown to customers and the publisher.")
  .max(4000, atMost(4000));

export const suspensionInput = z.strictObject({
  reason,
  /** Also stops the running installations of every customer. */
  stopInstallations: z.boolean().default(false),
});
export type SuspensionInput = z.infer<typeof suspensionInput>;

export const reportInput = z.strictObject({
  text: neededText(10, 2_000, "Describe the problem in at least 10 characters."),
  /** The token of its link, if the listing is shown by link. */
  link: linkToken.optional(),
});
export type ReportInput = z.infer<typeof reportInput>;

// What the platform finds out about a version under review before a moderator judges it. Times are ISO 8601 text.

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
      /** How many names these three lists leave out. Absent from checks before it was counted. */
      unlisted: z.number().optional(),
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
