/** The log of calls: rows, charts and live updates as pages receive them. */
import * as z from "zod";
import { attemptSummary, deliveryView, pendingDeliveries } from "../calls/call-summary";
import {
  DELIVERY_HOLDS,
  DELIVERY_STATES,
  INSTALLATION_STATES,
  ROUTE_KINDS,
} from "../catalog/installation-states";
import { APP_FAULTS } from "../platform/issue-codes";
import { LIFECYCLE_EVENTS } from "../platform/manifest-terms";

const moment = z.iso.datetime();

/** Of an installation. */
const tests = {
  test: z.boolean().meta({ description: "It is a Test Launch." }),
  trial: z.boolean().meta({ description: "It is a trial, which is a Test Launch that ends automatically." }),
};

export const callRow = z.object({
  id: z.uuid().meta({ description: "Of the attempt; of the delivery in lists of deliveries." }),
  attemptId: z.uuid().nullable().meta({ description: "Null for a delivery that has not been sent." }),
  kind: z.enum(ROUTE_KINDS),
  target: z.string(),
  eventType: z.string().nullable().meta({ description: "The event's type or the autofill's operation." }),
  at: moment.meta({ description: "When the attempt began, or when the delivery was accepted." }),
  durationMs: z.number().nullable().meta({ description: "Null until the call has ended." }),
  status: z.number().nullable(),
  failure: z.string().nullable(),
  test: z.boolean().meta({ description: "Sent from the console by a person, not by the core." }),
  dueAt: moment
    .nullable()
    .meta({ description: "When a delivery that waited was due; null if it was sent immediately." }),
  heldBy: z.enum(DELIVERY_HOLDS).nullable().meta({ description: "Why it waited." }),
  installation: z.object({ id: z.uuid(), title: z.string(), tenant: z.string(), ...tests }),
  /** What the attempt belongs to; null for calls that are never retried. */
  delivery: z
    .object({
      id: z.uuid(),
      state: z.enum(DELIVERY_STATES),
      attemptCount: z.number(),
      nextAttemptAt: moment,
    })
    .nullable(),
});
export type CallRow = z.infer<typeof callRow>;

/**
 * Newest first. `next`: the cursor of the next page. `searchedTo`: the search stopped there, because too few of the calls that
 * it looked at matched; the next page continues from there. On the first page: `position`, where live updates start, `total`, of
 * deliveries, and `pending`, of one installation.
 */
export const callPage = z.object({
  calls: z.array(callRow),
  next: z.uuid().optional(),
  searchedTo: moment.optional(),
  position: z.string().optional(),
  pending: pendingDeliveries.optional(),
  total: z.number().optional(),
});
export type CallPage = z.infer<typeof callPage>;

/** What a live list adds, changes and drops. `more`: so many calls arrived that the list must be read again. */
export interface CallChanges {
  calls: CallRow[];
  gone: string[];
  more: boolean;
}

/** Apps and installations that a list can be narrowed to, and the routes they declare. */
export const callScopes = z.object({
  apps: z.array(z.object({ name: z.string(), title: z.string() })),
  installations: z.array(
    z.object({ id: z.uuid(), app: z.string(), title: z.string(), tenant: z.string(), ...tests }),
  ),
  /** There are too many installations to list them: a search finds them. */
  more: z.boolean(),
  routes: z.array(z.object({ kind: z.enum(ROUTE_KINDS), path: z.string() })),
});
export type CallScopes = z.infer<typeof callScopes>;

const measures = {
  calls: z.number(),
  failed: z.number(),
  /** Milliseconds, within 4%; null if no call ended. */
  p50: z.number().nullable(),
  p95: z.number().nullable(),
};

/**
 * `points`: one for each bucket, oldest first. `routes`: the busiest of `routesInAll`, the busiest first, with the `p95` of each bucket.
 * `partial`: only the newest calls of the range were counted.
 */
export const callChart = z.object({
  from: moment,
  to: moment,
  bucketMs: z.number(),
  partial: z.boolean(),
  total: z.object(measures),
  points: z.array(z.object({ at: moment, ...measures })),
  routes: z.array(
    z.object({
      kind: z.enum(ROUTE_KINDS),
      path: z.string(),
      ...measures,
      p95s: z.array(z.number().nullable()),
    }),
  ),
  routesInAll: z.number(),
});
export type CallChart = z.infer<typeof callChart>;

// What the running instances of a version used and did over time, for its publisher.

const instant = z.iso.datetime();

/**
 * Per instance: the average, and the peak of the busiest one. CPU in percent of one core. Null where nothing was measured.
 * `restarts`: how often an instance failed or ended unexpectedly.
 */
const usage = {
  cpu: z.number().nullable(),
  peakCpu: z.number().nullable(),
  memoryBytes: z.number().nullable(),
  peakMemoryBytes: z.number().nullable(),
  restarts: z.number(),
};

/** `points`: one for each bucket, oldest first. `calls` has the same buckets. */
export const appMetrics = z.object({
  from: instant,
  to: instant,
  bucketMs: z.number(),
  points: z.array(z.object({ at: instant, ...usage })),
  total: z.object(usage),
  /** Of each instance; null if it has none. */
  limits: z.object({ cpu: z.number().nullable(), memoryBytes: z.number().nullable() }),
  calls: callChart,
});
export type AppMetrics = z.infer<typeof appMetrics>;

// One call with everything that belongs to it, as its page receives it. Times are ISO 8601 text.

const isoTime = z.iso.datetime();

/** GONE: the log from that time no longer exists. */
export const LOG_EXCERPT_STATES = ["WAITING", "READ", "GONE"] as const;

/**
 * What the app wrote while it handled the call. `hidden`: only members of the publisher may read logs. `unread`: nobody
 * asked for it yet. `gone`: the log from that time no longer exists; `tail` is the end of the log of an instance that
 * ended.
 */
const callLog = z.discriminatedUnion("state", [
  z.object({ state: z.literal("hidden") }),
  z.object({ state: z.literal("unread") }),
  z.object({ state: z.literal("waiting") }),
  z.object({ state: z.literal("read"), text: z.string(), cut: z.boolean() }),
  z.object({ state: z.literal("gone"), tail: z.object({ at: isoTime, text: z.string() }).nullable() }),
]);
export type CallLog = z.infer<typeof callLog>;

/** An event, and everybody in the organization who receives it. */
const callEvent = z.object({
  id: z.uuid().meta({ description: "The platform's id: the `webhook-id` of each delivery." }),
  coreId: z.string().meta({ description: "The core's id." }),
  type: z.string(),
  receivedAt: isoTime,
  test: z.boolean(),
  deliveries: z.array(
    z.object({
      id: z.uuid(),
      state: z.enum(DELIVERY_STATES),
      installationId: z.uuid(),
      title: z.string(),
      path: z.string(),
      ...tests,
      attemptId: z.uuid().nullable().meta({ description: "Its newest attempt; null before the first." }),
    }),
  ),
  deliveriesInAll: z.number().meta({ description: "How many there are; `deliveries` has the first 100." }),
});
export type CallEvent = z.infer<typeof callEvent>;

export const callView = attemptSummary.extend({
  hook: z.enum(LIFECYCLE_EVENTS).nullable(),
  eventType: z
    .string()
    .nullable()
    .meta({ description: "The type of a webhook's event, or the operation of an autofill." }),
  traceId: z.string().meta({
    description:
      "The W3C trace that it belongs to: the core's, or one of its own. The app gets it as `traceparent`.",
  }),
  fault: z.enum(APP_FAULTS).nullable().meta({ description: "Why it failed, for machines." }),
  queueMs: z
    .number()
    .nullable()
    .meta({ description: "How long it waited before it was sent. Null if that was not measured." }),
  platformMs: z
    .number()
    .nullable()
    .meta({ description: "How long the platform's own work took. Null if that was not measured." }),
  endedAt: isoTime
    .nullable()
    .meta({ description: "When it ended, on the clock of the state reads; null while it is in progress." }),
  stateReadAt: isoTime.nullable(),
  stateLastReadAt: isoTime.nullable(),
  stateRevision: z.number().nullable(),
  stateSettings: z
    .array(z.string())
    .meta({ description: "Names of the settings that were set in that revision." }),
  recorded: z.boolean().meta({ description: "Whether payload and answer were stored." }),
  payload: z.string().nullable(),
  payloadBytes: z.number().nullable(),
  answer: z.string().nullable(),
  answerBytes: z.number().nullable(),
  answerIssues: z.array(z.string()).meta({
    description:
      "Of a failed call: everything in the answer that is not as documented, with JSON pointers. If that isn't known, its failure.",
  }),
  installation: z.object({
    id: z.uuid(),
    state: z.enum(INSTALLATION_STATES),
    /** The instance that runs its version now, or ran it last. */
    instance: z.object({ state: z.string() }).nullable(),
    ...tests,
    title: z.string(),
    tenantName: z.string(),
    revision: z.number().meta({ description: "The current revision of its configuration." }),
  }),
  address: z.url().nullable().meta({
    description: "The URL to which the core sends such calls; null for calls of the platform itself.",
  }),
  delivery: deliveryView.nullable(),
  event: callEvent.nullable(),
  log: callLog,
});
export type CallView = z.infer<typeof callView>;

// What the console of an installation offers: data of the tenant's products, and what was sent before.

/** `given`: the core provided the data; otherwise it is made up from the product's schema. */
export const productSamples = z.object({
  products: z.array(z.object({ name: z.string(), data: z.json(), given: z.boolean() })),
});
export type ProductSample = z.infer<typeof productSamples>["products"][number];

/** Newest first. Their payloads are in the calls. */
export const sentCalls = z.object({
  calls: z.array(
    attemptSummary
      .pick({
        id: true,
        routeId: true,
        kind: true,
        startedAt: true,
        durationMs: true,
        status: true,
        failure: true,
      })
      .extend({ eventType: z.string().nullable() }),
  ),
  /** There are older ones. */
  more: z.boolean(),
});
