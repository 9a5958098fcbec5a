/** What publishers' tools read and change of an app of their own organization. Times are ISO 8601 text. */
import * as z from "zod";
import { REASON_CODES } from "./instance-reasons";
import { LISTING_STATES, releaseNotes, REVIEW_KINDS, REVIEW_STATES, submitReviewInput } from "./listing";
import { logPage } from "./log-view";

const moment = z.iso.datetime();
const page = z.url().meta({ description: "A page of the platform." });

const checklistItem = z.object({
  title: z.string(),
  done: z.boolean(),
  required: z.boolean().meta({ description: "A submission without it is refused." }),
  page: page.meta({ description: "Where to do it." }),
});
export type AppChecklistItem = z.infer<typeof checklistItem>;

const review = z.object({
  id: z.uuid(),
  kind: z.enum(REVIEW_KINDS).meta({ description: "`TEXT`: only the listing's text is reviewed." }),
  state: z.enum(REVIEW_STATES),
  version: z.string().nullable().meta({ description: "Null for a review of only the text." }),
  submittedAt: moment,
  decidedAt: moment.nullable(),
  note: z.string().meta({ description: "What the moderator asks for. Empty without a decision." }),
  comments: z.int().meta({ description: "How many comments the review has." }),
  page,
});

const instance = z.object({
  version: z.string(),
  state: z.enum(["STARTING", "READY", "DRAINING", "FAILED", "STOPPED"]),
  startedAt: moment,
  readyAt: moment.nullable(),
  failingSince: moment.nullable().meta({ description: "Since when its health checks fail." }),
  reason: z.string().nullable(),
  code: z.enum(REASON_CODES).nullable(),
});

const failure = z.object({
  version: z.string(),
  at: moment,
  reason: z.string(),
  code: z.enum(REASON_CODES).nullable(),
  exitCode: z.int().nullable(),
  parked: z
    .object({ since: moment, crashes: z.int() })
    .nullable()
    .meta({ description: "Set if it crashed so often that the platform no longer restarts it." }),
});

export const appStatus = z.object({
  app: z.string().meta({ description: "`<org-name>/<app-name>`." }),
  title: z.string(),
  state: z.enum(LISTING_STATES),
  suspension: z.string().nullable().meta({ description: "Why a moderator suspended it." }),
  newest: z
    .object({ version: z.string(), publishedAt: moment, verified: z.boolean() })
    .nullable()
    .meta({ description: "The highest version; null before the first." }),
  verified: z.string().nullable().meta({ description: "The highest verified version." }),
  review: review.nullable().meta({ description: "The newest review." }),
  checklist: z.array(checklistItem).meta({ description: "What moderators check." }),
  installations: z.int().meta({ description: "Current installations of all customers." }),
  replicas: z.int().meta({ description: "How many instances of each version run." }),
  instances: z.array(instance).meta({ description: "Those that have not ended." }),
  failures: z
    .array(failure)
    .meta({ description: "The last failure of each version that is parked or failed within a day." }),
  pages: z.object({ app: page, listing: page, logs: page, marketplace: page.nullable() }),
});
export type AppStatus = z.infer<typeof appStatus>;

export const appVersion = z.object({
  version: z.string(),
  imageDigest: z.string(),
  bytes: z.int(),
  publishedAt: moment,
  publishedBy: z.string().nullable().meta({ description: "A user's name, or `API key <name>`." }),
  verifiedAt: moment.nullable(),
  review: z.enum(REVIEW_STATES).nullable().meta({ description: "The state of its newest review." }),
  installations: z.int().meta({ description: "Current installations of all customers." }),
  releaseNotes: z.string().meta({ description: "Markdown." }),
});

export const appVersions = z.object({
  versions: z.array(appVersion),
  next: z.uuid().optional().meta({ description: "The `before` of the next page. Absent on the last one." }),
});
export type AppVersions = z.infer<typeof appVersions>;

export const submitVersionInput = submitReviewInput.omit({ versionId: true }).extend({
  version: z.string().max(40).optional().meta({ description: "The newest version by default." }),
  note: submitReviewInput.shape.note.meta({ description: "For the moderator." }),
  older: submitReviewInput.shape.older.meta({
    description: "Submit it although a newer version is verified already.",
  }),
  releaseNotes: releaseNotes.optional().meta({ description: "Markdown. Replaces the version's." }),
});
export type SubmitVersionInput = z.infer<typeof submitVersionInput>;

export const submittedVersion = z.object({ reviewId: z.uuid(), version: z.string(), page });
export type SubmittedVersion = z.infer<typeof submittedVersion>;

export const appLogPage = logPage.extend({
  version: z.string().nullable().meta({ description: "Whose log it is; null if there is no version." }),
});
