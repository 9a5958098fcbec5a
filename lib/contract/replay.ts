/** Sending dead deliveries again. */
import * as z from "zod";
import { callFilter } from "./call-log";

/** How many deliveries one request replays. */
export const REPLAY_LIMIT = 1_000;

export const replayInput = z.union([
  z.strictObject({
    deliveryIds: z.array(z.uuid()).min(1).max(REPLAY_LIMIT),
    /** Sends it again although the app accepted it. Only for a single delivery. */
    delivered: z.boolean().optional(),
  }),
  /** All dead deliveries that match. Without an installation, those of the whole organization. */
  z.strictObject({
    installationId: z.uuid().optional(),
    /** When the event was accepted: from this moment on, and before that one. */
    from: z.iso.datetime({ offset: true }).optional(),
    until: z.iso.datetime({ offset: true }).optional(),
    eventType: z.string().min(1).max(200).optional(),
  }),
]);
export type ReplayInput = z.infer<typeof replayInput>;

export const replayResult = z.object({
  replayed: z.number(),
  /**
   * Those that were not dead anymore, whose installation was uninstalled, or whose route takes no more events. Of a
   * selection, also those that don't exist.
   */
  skipped: z.number(),
  /** More deliveries match than one request replays: send it again. */
  more: z.boolean(),
});
export type ReplayResult = z.infer<typeof replayResult>;

/** From a page: deliveries by id, or all dead ones that a filter of the log shows. */
export const replayRequest = z.union([replayInput.options[0], z.strictObject({ filter: callFilter })]);
export type ReplayRequest = z.infer<typeof replayRequest>;
