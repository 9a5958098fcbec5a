import * as z from "zod";
import { DELIVERY_HOLDS, DELIVERY_STATES, ROUTE_KINDS } from "../catalog/installation-states";

const moment = z.iso.datetime();

export const attemptSummary = z.object({
  id: z.uuid(),
  routeId: z.uuid(),
  deliveryId: z.uuid().nullable(),
  kind: z.enum(ROUTE_KINDS),
  target: z.string(),
  startedAt: moment,
  durationMs: z.number().nullable().meta({ description: "Null while the call is in progress." }),
  status: z.number().nullable(),
  failure: z.string().nullable(),
  stateReads: z.number(),
  test: z.boolean().meta({ description: "Sent from the console by a person, not by the core." }),
  dueAt: moment
    .nullable()
    .meta({ description: "When a delivery that waited was due; null if it was sent immediately." }),
  heldBy: z.enum(DELIVERY_HOLDS).nullable().meta({ description: "Why it waited." }),
});

export type AttemptSummary = z.infer<typeof attemptSummary>;

/** Deliveries that are not settled: those that are due and wait, and those that are tried again later. */
export const pendingDeliveries = z.object({
  waiting: z.number(),
  waitingSince: moment.nullable(),
  retrying: z.number(),
  nextRetryAt: moment.nullable(),
});

export type PendingDeliveries = z.infer<typeof pendingDeliveries>;

/** A delivery with its attempts, newest first. */
export const deliveryView = z.object({
  id: z.uuid(),
  createdAt: moment,
  state: z.enum(DELIVERY_STATES),
  attemptCount: z.number(),
  nextAttemptAt: moment,
  attempts: z.array(attemptSummary),
  attemptsInAll: z.number().meta({ description: "How many there are; `attempts` has the newest 50." }),
});

export type DeliveryView = z.infer<typeof deliveryView>;
