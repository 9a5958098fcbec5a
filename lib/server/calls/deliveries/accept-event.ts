import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { v7 } from "uuid";
import type { AcceptedEvent } from "@/lib/contract/calls/gateway-answers";
import type { CoreEvent } from "@/lib/contract/platform/core";
import { Problem } from "@/lib/contract/platform/problem";
import { formatParent, type TraceContext } from "@/lib/domain/calls/trace";
import { matchesAny, patternsMatching } from "@/lib/domain/calls/events";
import { type RecognizedCore, wrongCredentials } from "../../accounts/credentials/authenticate-core";
import { type Db, sqlStateOf } from "../../platform/database/connect";
import { createGroups, type Groups } from "../../platform/database/groups";
import type { Foundation, Platform } from "../../platform/platform";
import { EVENTS } from "../call-metrics";
import { PAYLOAD_BYTES } from "../call-steps";
import { traceEvent } from "../call-traces";
import {
  type EventOutcome,
  type EventRow,
  type FirstEvent,
  selectFirstEvents,
  selectWebhookRoutes,
  storeEvent,
  storeEvents,
} from "./event-queries";

/** Two, so that one commits while the next one arrives. More only make the groups smaller: see docs/decisions/017. */
const STORE = { lanes: 2, items: 64, bytes: 2 * 1024 * 1024 };
const READ = { lanes: 1, items: 64 };

interface EventKey {
  tenant: string;
  key: string;
}

type Stored = { outcome: EventOutcome } | { error: unknown };

/** Events that arrive at the same time share statements. */
interface EventIntake {
  store: Groups<EventRow, Stored>;
  readFirst: Groups<EventKey, { first: FirstEvent | undefined }>;
}

declare module "../../platform/platform" {
  interface Services {
    eventIntake: EventIntake;
  }
}

export function createEventIntake({ pool }: Foundation): EventIntake {
  return {
    store: createGroups(STORE, (rows) => storeGroup(pool, rows)),
    readFirst: createGroups(READ, (rows) => readGroup(pool, rows)),
  };
}

/**
 * Stores an event of a core and its deliveries, all or nothing, together with the events that arrive at the same time. Once
 * this returns, a crash can't lose it. Throws WRONG_CREDENTIALS, EVENT_ID_REUSED and TOO_LARGE.
 * @param core as recognized; whether its credential still works is checked here
 * @param text the event as it was received, which is what apps get
 */
export async function acceptFromCore(
  platform: Platform,
  core: RecognizedCore,
  event: Pick<CoreEvent, "id" | "type">,
  text: string,
  trace?: TraceContext,
): Promise<AcceptedEvent> {
  const { eventIntake, cores } = platform.services;
  const startedMs = performance.now();
  const row = toRow({ tenant: null, credential: core.hash }, event, text, trace);
  const stored = await eventIntake.store.add(core.organizationId, row, text.length);
  if ("error" in stored) throw stored.error;
  const { tenant, credential, deliveries } = stored.outcome;
  if (tenant === null || credential === null) throw wrongCredentials();
  cores.uses.note(credential, true);
  traceEvent(platform.traces, row.id, trace, startedMs);
  platform.metrics.add(EVENTS, { result: stored.outcome.stored ? "stored" : "duplicate" });
  if (stored.outcome.stored) return { eventId: row.id, deliveries, duplicate: false };
  // A statement doesn't see what another one stored at the same time; the next statement does.
  const { first } = await eventIntake.readFirst.add(core.organizationId, { tenant, key: row.key });
  return answerAgain(row, first);
}

/** One event that can't be stored fails alone: the others are stored without it. */
async function storeGroup(pool: Pool, rows: readonly EventRow[]): Promise<Stored[]> {
  try {
    const outcomes = new Map((await storeEvents(pool, rows)).map((each) => [each.id, each]));
    return rows.map(({ id }) => {
      const outcome = outcomes.get(id);
      return outcome === undefined ? { error: new Error("the event was not stored") } : { outcome };
    });
  } catch (error) {
    if (rows.length === 1 || !isAboutRows(error)) return rows.map(() => ({ error }));
    const stored: Stored[] = [];
    for (const row of rows) stored.push(...(await storeGroup(pool, [row])));
    return stored;
  }
}

/** Whether the error is about the values. Other SQLSTATE classes are about the database or the connection. */
function isAboutRows(error: unknown): boolean {
  return ["21", "22", "23", "40", "54"].includes(sqlStateOf(error)?.slice(0, 2) ?? "");
}

async function readGroup(
  pool: Pool,
  rows: readonly EventKey[],
): Promise<{ first: FirstEvent | undefined }[]> {
  const found = await selectFirstEvents(pool, rows);
  return rows.map(({ tenant, key }) => ({
    first: found.find((each) => each.tenantId === tenant && each.key === key),
  }));
}

export interface AcceptOptions {
  /** Runs in the same transaction. */
  record?: (tx: Db) => Promise<void>;
  /** Sent from the console by a person, not by the core. */
  test?: boolean;
  /** Only the tenant's Test Launches get the event. */
  testOnly?: boolean;
  /** Of the routes that subscribe to it, only these get the event. */
  only?: readonly string[];
  /** The event as a person wrote it, which is what apps get. */
  text?: string;
}

/** Stores an event that the platform itself sends, and its deliveries, all or nothing. */
export async function acceptEvent(
  platform: Platform,
  tenantId: string,
  event: CoreEvent,
  { record, test = false, testOnly = false, only, text }: AcceptOptions = {},
): Promise<AcceptedEvent> {
  const row = toRow({ tenant: tenantId, credential: null }, event, text ?? JSON.stringify(event));
  const { stored, deliveries } = await platform.db.transaction(async (tx) => {
    await record?.(tx);
    return storeEvent(tx, { ...row, test, test_only: testOnly, only_routes: only ?? null });
  });
  if (stored) return { eventId: row.id, deliveries, duplicate: false };
  const [first] = await selectFirstEvents(platform.pool, [{ tenant: tenantId, key: row.key }]);
  return answerAgain(row, first);
}

/** Throws TOO_LARGE. @param text the event as it was received, which is what apps get */
function toRow(
  caller: Pick<EventRow, "tenant" | "credential">,
  event: Pick<CoreEvent, "id" | "type">,
  text: string,
  trace?: TraceContext,
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
    trace_parent: formatParent(trace),
    trace_state: trace?.state ?? null,
    patterns: patternsMatching(event.type),
    test: false,
    test_only: false,
    only_routes: null,
  };
}

/** The first result if it is the same event, byte for byte. Throws EVENT_ID_REUSED if it is a different one. */
function answerAgain(row: EventRow, first: FirstEvent | undefined): AcceptedEvent {
  if (first === undefined) throw new Error(`event ${row.key} conflicts with no other`);
  if (first.hash === row.hash) return { eventId: first.id, deliveries: first.deliveries, duplicate: true };
  throw new Problem(
    "EVENT_ID_REUSED",
    "An event with this id was already accepted with a different body. Give each event its own id. To repeat an event, send exactly the same text as the first time.",
  );
}

/** The tenant's webhook routes that receive an event of this type now; with `testOnly`, only those of Test Launches. */
export async function findSubscribers(db: Db, tenantId: string, type: string, testOnly: boolean) {
  const routes = await selectWebhookRoutes(db, tenantId, testOnly);
  return routes.filter((route) => matchesAny(route.patterns, type));
}
