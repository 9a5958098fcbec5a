import { createHash } from "node:crypto";
import { v7 } from "uuid";
import type { CoreEvent } from "@/lib/contract/core";
import type { AcceptedEvent } from "@/lib/contract/gateway-answers";
import { Problem } from "@/lib/contract/problem";
import { patternsMatching } from "@/lib/domain/match-pattern";
import { PAYLOAD_BYTES } from "../calls/call-steps";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { type EventRow, type FirstEvent, selectFirstEvents, storeEvent } from "./accept-queries";

export interface AcceptOptions {
  /** Runs in the same transaction. */
  record?: (tx: Db) => Promise<void>;
  /** Sent from the console by a person, not by the core. */
  test?: boolean;
  /** Only the tenant's Test Launches get the event. */
  testOnly?: boolean;
  /** Of the routes that subscribe to it, only these get the event. */
  only?: readonly string[];
}

/** Stores an event that the platform itself sends, and its deliveries, all or nothing. */
export async function acceptEvent(
  platform: Platform,
  tenantId: string,
  event: CoreEvent,
  { record, test = false, testOnly = false, only }: AcceptOptions = {},
): Promise<AcceptedEvent> {
  const row = toRow({ tenant: tenantId, credential: null }, event, JSON.stringify(event));
  const { stored, deliveries } = await platform.db.transaction(async (tx) => {
    await record?.(tx);
    return storeEvent(tx, { ...row, test, test_only: testOnly, only_routes: only ?? null });
  });
  if (stored) return { eventId: row.id, deliveries, duplicate: false };
  const [first] = await selectFirstEvents(platform.pool, [{ tenant: tenantId, key: row.key }]);
  return answerAgain(row, first);
}

/** Throws TOO_LARGE. @param text the event as it was received, which is what apps get */
export function toRow(
  caller: Pick<EventRow, "tenant" | "credential">,
  event: Pick<CoreEvent, "id" | "type">,
  text: string,
): EventRow {
  // Bytes that are not UTF-8 became longer when they were replaced.
  if (Buffer.byteLength(text) > PAYLOAD_BYTES) {
    throw new Problem("TOO_LARGE", "The event is larger than 1 MiB of JSON. Send less data.");
  }
  return {
    id: v7(),
    ...caller,
    key: event.id,
    type: event.type,
    body: text,
    hash: createHash("sha256").update(text).digest("hex"),
    patterns: patternsMatching(event.type),
    test: false,
    test_only: false,
    only_routes: null,
  };
}

/** The first result if it is the same event, byte for byte. Throws EVENT_ID_REUSED if it is a different one. */
export function answerAgain(row: EventRow, first: FirstEvent | undefined): AcceptedEvent {
  if (first === undefined) throw new Error(`event ${row.key} conflicts with no other`);
  if (first.hash === row.hash) return { eventId: first.id, deliveries: first.deliveries, duplicate: true };
  throw new Problem(
    "EVENT_ID_REUSED",
    "An event with this id was already accepted with a different body. Give each event its own id. To repeat an event, send exactly the same text as the first time.",
  );
}
