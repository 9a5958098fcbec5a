/** The log of calls: rows, charts and live updates as pages receive them. */
import * as z from "zod";
import { pendingDeliveries } from "./call-summary";
import { DELIVERY_HOLDS, DELIVERY_STATES, ROUTE_KINDS } from "./installation-states";

const moment = z.iso.datetime();

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
export interface CallChanges {
  calls: CallRow[];
  gone: string[];
  more: boolean;
}

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
