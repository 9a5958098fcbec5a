/** What publishers' tools read and change of an app of their own organization. Times are ISO 8601 text. */
import * as z from "zod";
import { CALL_SOURCES, CALL_STATES } from "../calls/call-filter";
import { replaySelection } from "../calls/gateway-answers";
import { ROUTE_KINDS } from "../catalog/installation-states";
import {
  listingInput,
  LISTING_STATES,
  releaseNotes,
  REVIEW_KINDS,
  REVIEW_STATES,
  submitReviewInput,
} from "../catalog/listing";
import { LOG_POSITION, logPage } from "../insight/app-log";
import { LOG_LEVELS, LOG_STREAMS } from "../runtime/app-log";
import { REASON_CODES } from "../runtime/instance-reasons";

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
  failingSince: moment.nullable().meta({ description: "Since when its health checks have been failing." }),
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
  mostReplicas: z
    .int()
    .nullable()
    .meta({ description: "Up to how many run while a version is busy; null if none are added." }),
  instances: z.array(instance).meta({ description: "Those that have not ended." }),
  failures: z
    .array(failure)
    .meta({ description: "The last failure of each version that is parked or failed within a day." }),
  moreFailures: z
    .boolean()
    .optional()
    .meta({ description: "True if so many versions failed that only the newest 100 were looked at." }),
  pages: z.object({ app: page, listing: page, logs: page, marketplace: page.nullable() }),
});
export type AppStatus = z.infer<typeof appStatus>;

const appVersion = z.object({
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

const { product, company, offering } = listingInput.shape.about.shape;
const { technicalDetails, launchInstructions, complianceDetails } = listingInput.shape.requirements.shape;

/** A new listing. Its app name is in the path, and what is not given is empty. Pictures are added on the listing's page. */
export const createListingInput = listingInput.omit({ appName: true, icon: true, screenshots: true }).extend({
  title: listingInput.shape.title.meta({ description: "The name that customers see." }),
  about: z
    .strictObject({ product, company: company.default(""), offering: offering.default("") })
    .meta({ description: "Markdown. `product` says what the app does." }),
  requirements: z
    .strictObject({
      technicalDetails: technicalDetails.default(""),
      launchInstructions: launchInstructions.default(""),
      complianceDetails: complianceDetails.default(""),
    })
    .default({ technicalDetails: "", launchInstructions: "", complianceDetails: "" })
    .meta({ description: "Markdown." }),
});
export type CreateListingInput = z.input<typeof createListingInput>;

export const createdApp = z.object({
  app: z.string().meta({ description: "`<org-name>/<app-name>`." }),
  title: z.string(),
  state: z.enum(LISTING_STATES),
  created: z.boolean().meta({
    description: "False if the organization had this listing before. It is then unchanged.",
  }),
  page,
});
export type CreatedApp = z.infer<typeof createdApp>;

export const submitVersionInput = submitReviewInput.omit({ versionId: true }).extend({
  version: z.string().max(40).optional().meta({ description: "The newest version by default." }),
  note: submitReviewInput.shape.note.meta({ description: "For the moderator." }),
  older: submitReviewInput.shape.older.meta({
    description: "Submit it even if a newer version is already verified.",
  }),
  releaseNotes: releaseNotes
    .optional()
    .meta({ description: "Markdown. Replaces the version's release notes." }),
});

export const submittedVersion = z.object({ reviewId: z.uuid(), version: z.string(), page });
export type SubmittedVersion = z.infer<typeof submittedVersion>;

export const appLogPage = logPage.extend({
  version: z.string().nullable().meta({ description: "Whose log it is; null if there is no version." }),
});

// The queries of what publishers' tools read. Unlike a page, the gateway refuses what it doesn't know.

/** PostgreSQL can't compare with a NUL character. Not `\0`, which isn't NUL in the patterns of every language. */
const NO_NUL = new RegExp("^[^\\u0000]*$");
const text = z.string().min(1).max(200).regex(NO_NUL, "Remove the NUL character (U+0000).");
const instant = z.iso.datetime({ offset: true });
const version = z.string().max(40).regex(NO_NUL).meta({ description: "A version number.", example: "1.4.0" });

const range = {
  last: z.enum(["1h", "24h", "7d", "30d"]).optional().meta({ description: "How far back from now." }),
  from: instant
    .optional()
    .meta({ description: "Only entries from this time on. Takes precedence over `last`, as does `to`." }),
  to: instant.optional().meta({ description: "Before." }),
};

export const versionsQuery = z.strictObject({
  before: z.uuid().optional().meta({ description: "The `next` of the previous page." }),
});

const logFilter = {
  version: version
    .optional()
    .meta({ description: "By default, the version that wrote last.", example: "1.4.0" }),
  instance: z.uuid().optional(),
  stream: z.enum(LOG_STREAMS).optional(),
  level: z.enum(LOG_LEVELS).optional(),
  q: text.optional().meta({ description: "Any part of a line. Case doesn't matter." }),
  ...range,
};

export const logQuery = z.strictObject({
  ...logFilter,
  before: z.string().regex(LOG_POSITION).optional().meta({ description: "The `next` of the previous page." }),
});

export const logStreamQuery = z.strictObject({
  ...logFilter,
  after: z.string().max(1_000).optional().meta({
    description: "The `position` of a page. The default is now. `Last-Event-ID` takes precedence.",
  }),
});

const callFilter = {
  state: z.enum(CALL_STATES).optional().meta({
    description: "`waiting` and `dead` list deliveries, the others calls.",
  }),
  kind: z.enum(ROUTE_KINDS).optional(),
  source: z.enum(CALL_SOURCES).optional().meta({
    description: "`launches`: to Test Launches. `console`: test calls. `production`: neither.",
  }),
  installation: z.uuid().optional(),
  path: text.optional().meta({ description: "The path that the manifest declares." }),
  event: text.optional().meta({ description: "The beginning of an event type or an operation." }),
  slower: z.coerce.number().int().min(1).max(86_400_000).optional().meta({
    description: "At least this many milliseconds.",
  }),
  q: text.optional().meta({ description: "Text in the target, the failure, or the event type." }),
  ...range,
};

export const callsQuery = z.strictObject({
  ...callFilter,
  before: z.uuid().optional().meta({ description: "The `next` of the previous page." }),
});

export const callStreamQuery = z.strictObject({
  ...callFilter,
  after: logStreamQuery.shape.after,
});

/** Exactly what is replayed: a filter that is not understood must not mean everything. */
export const appReplayInput = z.union([
  replaySelection,
  z.strictObject({ filter: z.strictObject(callFilter).omit({ state: true }) }),
]);
