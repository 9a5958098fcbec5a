/** The log of calls: filters as they are in URLs, and rows, charts and live updates as pages receive them. */
import * as z from "zod";
import { pendingDeliveries } from "./installation-view";
import { DELIVERY_HOLDS, DELIVERY_STATES, ROUTE_KINDS } from "./installation";

const moment = z.iso.datetime();

/**
 * `waiting` and `dead` list deliveries: those that are sent or tried again later, and those with no try left. The others list
 * attempts.
 */
export const CALL_STATES = ["succeeded", "failed", "open", "waiting", "dead"] as const;

/** `launches`: to Test Launches. `console`: test calls that a member sent. `production`: neither. */
export const CALL_SOURCES = ["production", "launches", "console"] as const;

/** How far back from now, with the name of each period and its length. */
export const CALL_SPANS = {
  "1h": { text: "Last hour", ms: 3_600_000 },
  "24h": { text: "Last 24 hours", ms: 86_400_000 },
  "7d": { text: "Last 7 days", ms: 7 * 86_400_000 },
  "30d": { text: "Last 30 days", ms: 30 * 86_400_000 },
} as const;
export type CallSpan = keyof typeof CALL_SPANS;

/** Deliveries that a filter shows are counted up to here. */
export const MOST_COUNTED = 10_000;

const text = z.string().trim().min(1).max(200).optional().catch(undefined);
const instant = z.iso.datetime({ offset: true }).optional().catch(undefined);

/** Which calls a list shows, from a URL: what it does not know is ignored. */
export const callFilter = z.object({
  state: z.enum(CALL_STATES).optional().catch(undefined),
  kind: z.enum(ROUTE_KINDS).optional().catch(undefined),
  source: z.enum(CALL_SOURCES).optional().catch(undefined),
  /** `<org-name>/<app-name>`. */
  app: text,
  installation: z.uuid().optional().catch(undefined),
  /** The path that the manifest declares. */
  path: text,
  /** The beginning of an event type or an operation. */
  event: text,
  /** Relative to now; `from` and `to` win over it. */
  last: z.enum(["1h", "24h", "7d", "30d"]).optional().catch(undefined),
  from: instant,
  to: instant,
  /** At least this many milliseconds. */
  slower: z.coerce.number().int().positive().max(86_400_000).optional().catch(undefined),
  /** In the target, the failure, or the event type. */
  q: text,
});
export type CallFilter = z.infer<typeof callFilter>;

/** The filter as a URL's query, without what is not set. */
export function toCallQuery(filter: CallFilter): URLSearchParams {
  const set = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(set);
}

export const callRow = z.object({
  /** Of the attempt; of the delivery in lists of deliveries. */
  id: z.uuid(),
  /** Null for a delivery that has not been sent. */
  attemptId: z.uuid().nullable(),
  kind: z.enum(ROUTE_KINDS),
  target: z.string(),
  /** The event's type or the autofill's operation. */
  eventType: z.string().nullable(),
  /** When the attempt began, or when the delivery was accepted. */
  at: moment,
  /** Null while the call is in progress, or before it. */
  durationMs: z.number().nullable(),
  status: z.number().nullable(),
  failure: z.string().nullable(),
  /** Sent from the console by a person, not by the core. */
  test: z.boolean(),
  /** When a delivery that waited was due, and what held it back; null if it was sent at once. */
  dueAt: moment.nullable(),
  heldBy: z.enum(DELIVERY_HOLDS).nullable(),
  installation: z.object({ id: z.uuid(), title: z.string(), tenant: z.string(), test: z.boolean() }),
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
export const callChanges = z.object({
  calls: z.array(callRow),
  gone: z.array(z.uuid()),
  more: z.boolean(),
});
export type CallChanges = z.infer<typeof callChanges>;

/** Apps and installations that a list can be narrowed to, and the routes they declare. */
export const callScopes = z.object({
  apps: z.array(z.object({ name: z.string(), title: z.string() })),
  installations: z.array(
    z.object({ id: z.uuid(), app: z.string(), title: z.string(), tenant: z.string(), test: z.boolean() }),
  ),
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
 * `points`: one for each bucket, oldest first. `routes`: the busiest first, with the `p95` of each bucket. `partial`: only the
 * newest calls of the range were counted.
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
});
export type CallChart = z.infer<typeof callChart>;
