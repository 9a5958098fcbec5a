import { nextBreaker, readSignal, type Signal } from "@/lib/domain/circuit-breaker";
import type { DeliveryAnswer } from "@/lib/domain/backoff";
import { settle } from "@/lib/domain/delivery";
import { describeEnd, withoutSecrets, type FinishedCall } from "../calls/call-steps";
import { finishAttempts, type AttemptEnd } from "../calls/record-queries";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import type { ClaimedDelivery } from "./claim-deliveries";
import {
  lockBreakers,
  settleDeliveries,
  settleWithAttempts,
  storeBreaker,
  type SettledRow,
} from "./settle-queries";

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
  const ends = await Promise.all(answered.map((each) => describeAttempt(platform, each)));
  // Most deliveries succeed, and their installations have no breaker to change.
  const isQuiet = answered.every((each) => signalOf(each) === undefined);
  if (isQuiet) return settleWithAttempts(platform.pool, rows, ends);
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

/** The end of an attempt that was stored with its claim, and what its row lacks since. */
export async function describeAttempt(
  platform: Platform,
  { delivery: { call }, finished }: Pick<Answered, "delivery" | "finished">,
): Promise<AttemptEnd> {
  const { recorded, body = null, wait } = call;
  const [end, payload] = await Promise.all([
    describeEnd(platform, call, finished),
    recorded && body !== null ? withoutSecrets(platform, call, body) : null,
  ]);
  return { ...end, payload, wait };
}

/** What an answer means for its installation's breaker; undefined if nothing. */
function signalOf({ delivery, finished, answer }: Answered): Signal | undefined {
  const signal = readSignal(answer, delivery.probe, finished.failure);
  return signal.app === "works" && !delivery.troubled && !delivery.probe ? undefined : signal;
}

async function noteInBreakers(tx: Db, answered: readonly Answered[], now: Date): Promise<void> {
  const signals = new Map<string, Signal[]>();
  for (const each of answered) {
    const { installationId } = each.delivery;
    const signal = signalOf(each);
    if (signal !== undefined) signals.set(installationId, [...(signals.get(installationId) ?? []), signal]);
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
