import type { CoreEvent } from "@/lib/contract/core";
import { Problem } from "@/lib/contract/problem";
import { matchPattern } from "@/lib/domain/match-pattern";
import { PAYLOAD_BYTES } from "../calls/call-app";
import { sqlStateOf, type Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import type { Platform } from "../platform/platform";
import { insertDeliveries, insertEvent, selectEvent, selectWebhookRoutes } from "./queries";

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
  /** Sent from the console by a person, not by the core. */
  test?: boolean;
  /** Only the tenant's Test Launches get the event. */
  testOnly?: boolean;
}

/** PostgreSQL's error codes for text that JSON allows: a NUL character, half of a surrogate pair. */
const UNSTORABLE = new Set(["22P02", "22P05", "22021"]);

/** Stores the event and its deliveries, all or nothing. Once this returns, no crash loses it. */
export async function acceptEvent(
  platform: Platform,
  tenantId: string,
  event: CoreEvent,
  options: AcceptOptions = {},
): Promise<AcceptedEvent> {
  // The length as it will be sent, which can exceed the received one: 1e20 becomes 21 digits.
  if (Buffer.byteLength(JSON.stringify(event)) > PAYLOAD_BYTES) {
    throw new Problem("TOO_LARGE", "The event is larger than 1 MiB of JSON. Send less data.");
  }
  try {
    return await storeEvent(platform, tenantId, event, options);
  } catch (error) {
    if (!UNSTORABLE.has(sqlStateOf(error) ?? "")) throw error;
    throw new Problem(
      "BAD_INPUT",
      "The event contains a NUL character or half of a surrogate pair. Send well-formed text.",
    );
  }
}

async function storeEvent(
  platform: Platform,
  tenantId: string,
  event: CoreEvent,
  { record, test = false, testOnly = false }: AcceptOptions,
): Promise<AcceptedEvent> {
  return platform.db.transaction(async (tx) => {
    await record?.(tx);
    const eventId = await insertEvent(tx, tenantId, event, test);
    if (eventId === undefined) {
      const first = await selectEvent(tx, tenantId, event.id);
      if (first === undefined) throw new Error(`event ${event.id} conflicts with no other`);
      return { eventId: first.id, deliveries: first.deliveries, duplicate: true };
    }
    const routes = await selectWebhookRoutes(tx, tenantId, testOnly);
    const targets = routes.filter((route) =>
      route.patterns.some((pattern) => matchPattern(pattern, event.type)),
    );
    await insertDeliveries(tx, eventId, targets);
    if (targets.length > 0) await notifyWorker(tx);
    return { eventId, deliveries: targets.length, duplicate: false };
  });
}
