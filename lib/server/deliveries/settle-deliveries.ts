import { nextBreaker, readSignal, type Signal } from "@/lib/domain/circuit-breaker";
import type { DeliveryAnswer } from "@/lib/domain/backoff";
import { settle } from "@/lib/domain/delivery";
import { describeEnd, type FinishedCall } from "../calls/call-steps";
import { finishAttempts } from "../calls/record-queries";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import type { ClaimedDelivery } from "./claim-deliveries";
import { lockBreakers, settleDeliveries, storeBreaker, type SettledRow } from "./settle-queries";

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
  const ends = await Promise.all(
    answered.map(({ delivery, finished }) => describeEnd(platform, delivery.call, finished)),
  );
  await platform.db.transaction(async (tx) => {
    await finishAttempts(tx, ends);
    const settled = await settleDeliveries(tx, rows);
    await noteInBreakers(
      tx,
      answered.filter(({ delivery }) => settled.has(delivery.id)),
      now,
    );
  });
}

/** Most deliveries succeed, and their installations have no breaker to change. */
async function noteInBreakers(tx: Db, answered: readonly Answered[], now: Date): Promise<void> {
  const signals = new Map<string, Signal[]>();
  for (const { delivery, finished, answer } of answered) {
    const signal = readSignal(answer, delivery.probe, finished.failure);
    if (signal.app === "works" && !delivery.troubled && !delivery.probe) continue;
    signals.set(delivery.installationId, [...(signals.get(delivery.installationId) ?? []), signal]);
  }
  if (signals.size === 0) return;
  for (const { installationId, ...breaker } of await lockBreakers(tx, [...signals.keys()])) {
    const next = (signals.get(installationId) ?? []).reduce(
      (before, signal) => nextBreaker(before, signal, now),
      breaker,
    );
    if (next !== breaker) await storeBreaker(tx, { installationId, ...next });
  }
}
