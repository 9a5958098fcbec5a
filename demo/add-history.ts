import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { EVENT_CATALOG } from "@/lib/contract/calls/event-catalog";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import { deleteHours, lockCounting } from "@/lib/server/insight/call-log/chart-queries";
import { countHours } from "@/lib/server/insight/call-log/count-hours";
import type { Platform } from "@/lib/server/platform/platform";
import { DEMO_CUSTOMERS } from "./accounts";
import { DEMO_APPS } from "./apps";
import { type History, insertHistory, selectRoutesWithoutHistory } from "./queries";

type Route = Awaited<ReturnType<typeof selectRoutesWithoutHistory>>[number];

const LOCK_TRIES = 100;
const LOCK_PAUSE_MS = 100;
/** The first step of the schedule of retries. */
const RETRY_MS = 5_000;

/**
 * Gives the demo's installations a week of calls. They are older than the installations, which distinguishes them from real ones, so a
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
    id: deliveryId,
    eventId,
    installationId: route.installationId,
    routeId: route.id,
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
    ...call,
    durationMs,
    startedAt,
    endedAt,
    organizationId,
    installationId,
    routeId,
    kind,
    ...delivery,
    target: `POST ${path}`,
    recorded: false,
    fault: call.failure === null ? null : "app-response-status",
  });
  if (call.failure !== null) return;
  const readAt = new Date(startedAt.getTime() + Math.floor(durationMs / 3));
  history.reads.push({ attemptId: call.id, count: 1, firstReadAt: readAt, lastReadAt: readAt, revision: 1 });
}

export const HISTORY_DAYS = 7;
const HOUR_MS = 3_600_000;

/** How a kind of route is called. Other kinds have no history. */
const TRAFFIC: Partial<Record<RouteKind, Traffic>> = {
  autofill: {
    busiestHour: 62,
    medianMs: 34,
    payload: 610,
    answer: 690,
    types: ["newBusiness.create", "endorsement.change"],
  },
  rater: { busiestHour: 38, medianMs: 11, payload: 540, answer: 96, types: [] },
  webhook: {
    busiestHour: 16,
    medianMs: 22,
    payload: 720,
    answer: 150,
    types: ["policy.issued", "policy.cancelled"],
  },
};

interface Traffic {
  /** Calls in the busiest hour of a weekday. */
  busiestHour: number;
  medianMs: number;
  /** Bytes. */
  payload: number;
  answer: number;
  /** Of events or operations, the most frequent first. */
  types: readonly string[];
}

interface InventedCall {
  id: string;
  startedAt: Date;
  eventType: string | null;
  durationMs: number;
  platformMs: number;
  status: number;
  payloadBytes: number;
  answerBytes: number;
  /** As `lib/server/calls/send-request.ts` words it; null if it succeeded. */
  failure: string | null;
}

/** Share of the busiest hour, by hour of the day on this machine's clock. */
const DAY = [2, 1, 1, 1, 2, 5, 14, 38, 72, 94, 100, 92, 66, 78, 95, 90, 74, 48, 30, 22, 16, 11, 7, 4];
const WEEKEND = 0.22;
const FAILING = 0.006;

/** In an hour of the last weekday before today, the app was overloaded. */
const OUTAGE = { hour: 14, failing: 0.32, slower: 6 };

/**
 * The calls of a past week, made up: busy on weekday mornings and afternoons, quiet at night, with an outage and a few failures. Oldest
 * first, and equal for an equal `random`.
 *
 * @param random from 0 to 1, such as `Math.random`
 */
export function inventCalls(kind: RouteKind, now: Date, random: () => number): InventedCall[] {
  const traffic = TRAFFIC[kind];
  if (traffic === undefined) return [];
  const calls: InventedCall[] = [];
  const outage = kind === "autofill" ? findOutage(now) : undefined;
  for (let hoursAgo = HISTORY_DAYS * 24; hoursAgo > 0; hoursAgo -= 1) {
    const hour = new Date(now.getTime() - hoursAgo * HOUR_MS);
    const times = Array.from({ length: countInHour(hour, traffic, random) }, () => random() * HOUR_MS);
    for (const time of times.sort((one, other) => one - other))
      calls.push(
        inventCall(new Date(hour.getTime() + Math.floor(time)), traffic, hoursAgo === outage, random),
      );
  }
  return calls;
}

function countInHour(hour: Date, { busiestHour }: Traffic, random: () => number): number {
  const weekday = isWeekend(hour) ? WEEKEND : 1;
  const expected = (busiestHour * weekday * (DAY[hour.getHours()] ?? 0)) / 100;
  return Math.floor(expected * (0.8 + 0.4 * random()) + random());
}

function findOutage(now: Date): number {
  let hoursAgo = 24;
  while (!isAt(new Date(now.getTime() - hoursAgo * HOUR_MS), OUTAGE.hour)) hoursAgo += 1;
  return hoursAgo;
}

const isWeekend = (moment: Date) => moment.getDay() % 6 === 0;
const isAt = (moment: Date, hour: number) => moment.getHours() === hour && !isWeekend(moment);

function inventCall(startedAt: Date, traffic: Traffic, outage: boolean, random: () => number): InventedCall {
  const failed = random() < (outage ? OUTAGE.failing : FAILING);
  const durationMs = Math.round(traffic.medianMs * spread(random) * (outage ? OUTAGE.slower : 1));
  const [first = null, second = first] = traffic.types;
  return {
    id: v7({ msecs: startedAt.getTime() }),
    startedAt,
    eventType: random() < 0.8 ? first : second,
    durationMs,
    platformMs: 1 + Math.floor(random() * 4),
    status: failed ? 503 : 200,
    payloadBytes: Math.round(traffic.payload * (0.9 + 0.2 * random())),
    answerBytes: failed ? 38 : Math.round(traffic.answer * (0.9 + 0.2 * random())),
    failure: failed ? "It returned 503." : null,
  };
}

/** Log-normal around 1: few calls take several times as long as most. */
function spread(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(0.45 * normal);
}
