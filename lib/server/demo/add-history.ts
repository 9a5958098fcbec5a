import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { EVENT_CATALOG } from "@/lib/contract/event-catalog/event-catalog";
import { countHours } from "../call-log/count-hours";
import { deleteHours, lockCounting } from "../call-log/hour-queries";
import type { Platform } from "../platform/platform";
import { DEMO_CUSTOMERS } from "./accounts";
import { DEMO_APPS } from "./apps";
import { insertHistory, selectRoutesWithoutHistory, type History } from "./history-queries";
import { inventCalls, type InventedCall } from "./invent-calls";

type Route = Awaited<ReturnType<typeof selectRoutesWithoutHistory>>[number];

const LOCK_TRIES = 100;
const LOCK_PAUSE_MS = 100;
/** The first step of the schedule of retries. */
const RETRY_MS = 5_000;

/**
 * Gives the demo's installations a week of calls. They are older than the installations, which tells them from real ones, so a
 * second time adds nothing. The hours are then counted as they always are; those that were counted before are counted again.
 * @param signal leaves the counting to the worker
 */
export async function addHistory(platform: Platform, signal: AbortSignal): Promise<void> {
  const now = new Date();
  for (let tries = 1; !(await tryToAdd(platform, now)); tries += 1) {
    if (tries === LOCK_TRIES) throw new Error("a worker has been counting calls for too long");
    await sleep(LOCK_PAUSE_MS);
  }
  await countHours(platform, { now, signal });
}

/** False if a worker is counting hours. */
async function tryToAdd({ db }: Platform, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockCounting(tx))) return false;
    const routes = await selectRoutesWithoutHistory(tx, {
      customers: DEMO_CUSTOMERS.map(({ account }) => account.slug),
      apps: DEMO_APPS.map(({ appName }) => appName),
    });
    if (routes.length === 0) return true;
    const history: History = { events: [], deliveries: [], attempts: [], reads: [] };
    // A delivery that failed is tried again some seconds later, and that must be over too.
    const until = new Date(now.getTime() - 2 * RETRY_MS);
    for (const route of routes)
      for (const call of inventCalls(route.kind, until, Math.random)) addCall(history, route, call);
    await insertHistory(tx, history);
    await deleteHours(tx, now);
    return true;
  });
}

function addCall(history: History, route: Route, call: InventedCall): void {
  if (route.kind === "webhook") addDelivery(history, route, call);
  else addAttempt(history, route, call);
}

/** A delivery that failed was delivered by the next try. */
function addDelivery(history: History, route: Route, call: InventedCall): void {
  const { startedAt } = call;
  const type = call.eventType ?? "";
  const sample = EVENT_CATALOG.find((event) => event.type === type)?.sample;
  const eventId = v7({ msecs: startedAt.getTime() });
  const body = JSON.stringify({ ...sample, id: `evt-${eventId}`, timestamp: startedAt.toISOString() });
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const { tenantId } = route;
  const received = { id: eventId, tenantId, eventId: `evt-${eventId}`, type, receivedAt: startedAt };
  history.events.push({ ...received, body, bodyHash });
  const again = new Date(startedAt.getTime() + RETRY_MS);
  const tries = call.failure === null ? [call] : [call, retry(call, again)];
  const last = tries.at(-1) ?? call;
  const deliveryId = v7({ msecs: startedAt.getTime() });
  history.deliveries.push({
    ...{ id: deliveryId, eventId, installationId: route.installationId, routeId: route.id },
    state: "DELIVERED",
    attemptCount: tries.length,
    nextAttemptAt: last.startedAt,
    createdAt: startedAt,
    settledAt: new Date(last.startedAt.getTime() + last.durationMs),
  });
  for (const attempt of tries)
    addAttempt(history, route, attempt, { deliveryId, dueAt: attempt.startedAt, queueMs: 3 });
}

function retry(call: InventedCall, at: Date): InventedCall {
  return { ...call, id: v7({ msecs: at.getTime() }), startedAt: at, status: 200, failure: null };
}

function addAttempt(
  history: History,
  { id: routeId, organizationId, installationId, kind, path }: Route,
  { durationMs, startedAt, ...call }: InventedCall,
  delivery: Partial<History["attempts"][number]> = {},
): void {
  const endedAt = new Date(startedAt.getTime() + durationMs);
  history.attempts.push({
    ...{ ...call, durationMs, startedAt, endedAt, organizationId, installationId, routeId, kind },
    ...delivery,
    target: `POST ${path}`,
    recorded: false,
    fault: call.failure === null ? null : "app-response-status",
  });
  if (call.failure !== null) return;
  const readAt = new Date(startedAt.getTime() + Math.floor(durationMs / 3));
  history.reads.push({ attemptId: call.id, count: 1, firstReadAt: readAt, lastReadAt: readAt, revision: 1 });
}
