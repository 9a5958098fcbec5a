/** Sending deliveries again. */
import * as z from "zod";
import { readCallFilter } from "./call-filter";

/** How many deliveries one request replays. */
export const REPLAY_LIMIT = 1_000;

export const replaySelection = z
  .strictObject({
    deliveryIds: z.array(z.uuid()).min(1).max(REPLAY_LIMIT),
    /** Sends it again although the app accepted it. Only for a single delivery. */
    delivered: z.boolean().optional(),
  })
  // For the API's description; what refuses it says why.
  .meta({
    if: { properties: { delivered: { const: true } }, required: ["delivered"] },
    then: { properties: { deliveryIds: { maxItems: 1 } } },
  });
export type ReplaySelection = z.infer<typeof replaySelection>;

const filter = z.record(z.string(), z.unknown()).transform(readCallFilter);

/** Deliveries by id, or all dead ones that a filter of the log shows. */
export const replayRequest = z.union([replaySelection, z.strictObject({ filter })]);
export type ReplayRequest = z.infer<typeof replayRequest>;

export const replayResult = z.object({
  replayed: z.number(),
  /**
   * Those that were no longer dead, whose installation was uninstalled, or whose route takes no more events. For a
   * selection, including those that don't exist.
   */
  skipped: z.number(),
  /** More deliveries match than one request replays: send it again. */
  more: z.boolean(),
});
export type ReplayResult = z.infer<typeof replayResult>;
