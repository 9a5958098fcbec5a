import type { DeliveryAnswer } from "@/lib/domain/calls/backoff";
import { nextBreakers, readSignal, type Signal } from "@/lib/domain/calls/breaker";
import { settle } from "@/lib/domain/calls/delivery";
import type { Db } from "../../platform/database/connect";
import { tellOfDeadDeliveries, tellOfEndedSubscription } from "../../platform/notifications/tell-of-apps";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { DELIVERIES } from "../call-metrics";
import { describeCall, type FinishedCall } from "../call-steps";
import { recordAttempts } from "../record-queries";
import type { ClaimedDelivery } from "./claim-deliveries";
import {
  endDeliveriesOfRoute,
  endRoute,
  lockBreakers,
  lockVersion,
  settleDeliveries,
  type SettledRow,
  settleWithAttempts,
  storeBreakers,
} from "./queries";

/** A delivery whose attempt ended. */
export interface Answered {
  delivery: ClaimedDelivery;
  finished: FinishedCall;
  answer: DeliveryAnswer;
}

/** Records the answers of many attempts, what follows for their deliveries, and for the breakers: all or nothing. */
export async function settleAnswered(platform: Platform, answered: readonly Answered[]): Promise<void> {
  const now = new Date();
  const rows = answered.map(({ delivery, finished, answer }) => {
    const { state, tries, interruptions, ...next } = settle(delivery, answer, now, Math.random());
    const waitMs = "waitMs" in next ? next.waitMs : null;
    const { id, claim } = delivery;
    return { id, claim, state, tries, interruptions, waitMs, reason: finished.failure } satisfies SettledRow;
  });
  const attempts = await Promise.all(
    answered.map(({ delivery, finished }) => describeCall(platform, delivery.call, finished)),
  );
  for (const { state } of rows) platform.metrics.add(DELIVERIES, { state });
  // Most deliveries succeed: nobody is notified, and their installations have no breaker to update.
  const isQuiet =
    answered.every((each) => signalOf(each) === undefined) && rows.every(({ state }) => state !== "DEAD");
  if (isQuiet) return settleWithAttempts(platform.pool, rows, attempts);
  await platform.db.transaction(async (tx) => {
    await recordAttempts(tx, attempts);
    const settled = await settleDeliveries(tx, rows);
    await noteInBreakers(
      tx,
      answered.filter(({ delivery }) => settled.has(delivery.id)),
      now,
    );
    const dead = new Set(
      rows.filter((row) => row.state === "DEAD" && settled.has(row.id)).map(({ id }) => id),
    );
    await tellOfDead(
      tx,
      answered.filter(({ delivery }) => dead.has(delivery.id)),
    );
  });
}

/** In the order of the installations, so that two workers don't wait for each other. */
async function tellOfDead(tx: Db, answered: readonly Answered[]): Promise<void> {
  const reasons = new Map<string, string[]>();
  for (const { delivery, finished } of answered)
    reasons.set(delivery.installationId, [
      ...(reasons.get(delivery.installationId) ?? []),
      finished.failure ?? "",
    ]);
  for (const [installationId, all] of [...reasons].sort(([one], [other]) => (one < other ? -1 : 1)))
    await tellOfDeadDeliveries(tx, installationId, all.length, all.at(-1) ?? "");
}

/** What an answer means for its installation's breakers; undefined if it doesn't affect them. */
function signalOf({ delivery, finished, answer }: Answered): Signal | undefined {
  const { queue: eventType, probe } = delivery;
  const signal = readSignal(answer, { eventType, probe }, finished.failure);
  return signal.app === "works" && !delivery.troubled && probe === null ? undefined : signal;
}

async function noteInBreakers(tx: Db, answered: readonly Answered[], now: Date): Promise<void> {
  const signals = new Map<string, Signal[]>();
  for (const each of answered) {
    const { installationId } = each.delivery;
    const signal = signalOf(each);
    if (signal !== undefined) signals.set(installationId, [...(signals.get(installationId) ?? []), signal]);
  }
  if (signals.size === 0) return;
  for (const [installationId, breakers] of await lockBreakers(tx, [...signals.keys()])) {
    const next = (signals.get(installationId) ?? []).reduce(
      (before, signal) => nextBreakers(before, signal, now),
      breakers,
    );
    await storeBreakers(tx, installationId, breakers, next);
  }
}

/**
 * The app returned 410: it refuses further events of this route. That only counts for the version that answered. If another one
 * took over meanwhile, it gets the same event.
 */
export async function endSubscription(platform: Platform, { delivery, finished }: Answered): Promise<void> {
  const attempt = await describeCall(platform, delivery.call, finished);
  const { id, claim, routeId, installationId, interruptions } = delivery;
  platform.metrics.add(DELIVERIES, { state: "ENDED" });
  const settled = { id, claim, tries: delivery.tries + 1, interruptions, reason: null };
  await platform.db.transaction(async (tx) => {
    await recordAttempts(tx, [attempt]);
    if (!(await lockVersion(tx, delivery))) {
      await settleDeliveries(tx, [{ ...settled, state: "PENDING", waitMs: 0 }]);
      return;
    }
    // The route first: its row lock serializes concurrent answers of 410.
    const ended = await endRoute(tx, routeId);
    await settleDeliveries(tx, [{ ...settled, state: "ENDED", waitMs: null }]);
    await endDeliveriesOfRoute(tx, routeId);
    if (!ended) return;
    await tellOfEndedSubscription(tx, installationId);
    await recordAudit(tx, platform.keyring, {
      chain: delivery.organizationId,
      actor: "worker",
      action: "route.end",
      subject: `route:${routeId}`,
      details: { installationId, reason: "The app returned 410." },
    });
  });
}
