/** One call with everything that belongs to it, as its page receives it. Times are ISO 8601 text. */
import * as z from "zod";
import { APP_FAULTS } from "./app-fault";
import { DELIVERY_STATES, INSTALLATION_STATES } from "./installation-states";
import { attemptSummary, deliveryView } from "./call-summary";
import { LIFECYCLE_EVENTS } from "./manifest-terms";

const moment = z.iso.datetime();

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
  z.object({ state: z.literal("gone"), tail: z.object({ at: moment, text: z.string() }).nullable() }),
]);
export type CallLog = z.infer<typeof callLog>;

/** An event, and everybody in the organization who receives it. */
const callEvent = z.object({
  /** The platform's id: the `webhook-id` of each delivery. */
  id: z.uuid(),
  /** The core's id. */
  coreId: z.string(),
  type: z.string(),
  receivedAt: moment,
  test: z.boolean(),
  deliveries: z.array(
    z.object({
      id: z.uuid(),
      state: z.enum(DELIVERY_STATES),
      installationId: z.uuid(),
      title: z.string(),
      path: z.string(),
      test: z.boolean(),
      /** Its newest attempt; null before the first. */
      attemptId: z.uuid().nullable(),
    }),
  ),
});
export type CallEvent = z.infer<typeof callEvent>;

export const callView = attemptSummary.extend({
  hook: z.enum(LIFECYCLE_EVENTS).nullable(),
  /** The type of a webhook's event, or the operation of an autofill. */
  eventType: z.string().nullable(),
  /** Why it failed, for machines. */
  fault: z.enum(APP_FAULTS).nullable(),
  /** How long it waited before it was sent, and what the platform's own work took. Null if that was not measured. */
  queueMs: z.number().nullable(),
  platformMs: z.number().nullable(),
  /** When it ended, on the clock of the state reads; null while it is in progress. */
  endedAt: moment.nullable(),
  stateReadAt: moment.nullable(),
  stateLastReadAt: moment.nullable(),
  stateRevision: z.number().nullable(),
  /** Names of the settings that were set in that revision. */
  stateSettings: z.array(z.string()),
  /** Whether payload and answer were stored. */
  recorded: z.boolean(),
  payload: z.string().nullable(),
  payloadBytes: z.number().nullable(),
  answer: z.string().nullable(),
  answerBytes: z.number().nullable(),
  installation: z.object({
    id: z.uuid(),
    state: z.enum(INSTALLATION_STATES),
    /** The instance that runs its version now, or ran it last. */
    instance: z.object({ state: z.string() }).nullable(),
    test: z.boolean(),
    title: z.string(),
    tenantName: z.string(),
    /** The current revision of its configuration. */
    revision: z.number(),
  }),
  /** The URL to which the core sends such calls; null for calls of the platform itself. */
  address: z.url().nullable(),
  delivery: deliveryView.nullable(),
  event: callEvent.nullable(),
  log: callLog,
});
export type CallView = z.infer<typeof callView>;
