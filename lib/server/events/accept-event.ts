import type { CoreEvent } from "@/lib/contract/core";
import { Problem } from "@/lib/contract/problem";
import { PAYLOAD_BYTES } from "../calls/call-steps";
import type { Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import type { Platform } from "../platform/platform";
import { findSubscribers } from "./find-subscribers";
import { insertDeliveries, insertEvent, selectEvent } from "./queries";

interface AcceptedEvent {
  /** The platform's id of the event: the `webhook-id` of each of its deliveries. */
  eventId: string;
  deliveries: number;
  /** True if this event was accepted before; the other members are from the first time. */
  duplicate: boolean;
}

export interface AcceptOptions {
  /** Runs in the same transaction. */
  record?: (tx: Db) => Promise<void>;
  /** The event as it was received, which is what apps get. Needed only if it is not `JSON.stringify(event)`. */
  text?: string;
  /** Sent from the console by a person, not by the core. */
  test?: boolean;
  /** Only the tenant's Test Launches get the event. */
  testOnly?: boolean;
  /** Of the routes that subscribe to it, only these get the event. */
  only?: readonly string[];
}

/** Stores the event and its deliveries, all or nothing. Once this returns, no crash loses it. */
export async function acceptEvent(
  platform: Platform,
  tenantId: string,
  event: CoreEvent,
  options: AcceptOptions = {},
): Promise<AcceptedEvent> {
  const { record, test = false, testOnly = false, only, text = JSON.stringify(event) } = options;
  // Bytes that are not UTF-8 became longer when they were replaced.
  if (Buffer.byteLength(text) > PAYLOAD_BYTES) {
    throw new Problem("TOO_LARGE", "The event is larger than 1 MiB of JSON. Send less data.");
  }
  return platform.db.transaction(async (tx) => {
    await record?.(tx);
    const eventId = await insertEvent(tx, tenantId, event, text, test);
    if (eventId === undefined) {
      const first = await selectEvent(tx, tenantId, event.id);
      if (first === undefined) throw new Error(`event ${event.id} conflicts with no other`);
      return { eventId: first.id, deliveries: first.deliveries, duplicate: true };
    }
    const subscribers = await findSubscribers(tx, tenantId, event.type, testOnly);
    const targets = subscribers.filter(({ routeId }) => only === undefined || only.includes(routeId));
    await insertDeliveries(tx, eventId, targets);
    if (targets.length > 0) await notifyWorker(tx);
    return { eventId, deliveries: targets.length, duplicate: false };
  });
}
