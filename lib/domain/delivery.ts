/**
 * The life of a delivery: PENDING until it is DELIVERED, DEAD or ENDED. `lib/server/deliveries/` does the same in SQL, with
 * these transitions as guards of its updates. Pure: time and randomness are arguments.
 */
import type { DeliveryState } from "@/lib/contract/installation-states";
import { interruptedWaitMs, nextStep, type DeliveryAnswer } from "./backoff";

export interface Delivery {
  state: DeliveryState;
  /** The tries that it used. */
  tries: number;
  /** Attempts that used no try. */
  interruptions: number;
  nextAttemptAt: Date;
  /** Who sends it now; another claim may take over after `until`. */
  lease: { by: string; until: Date } | null;
}

export function acceptDelivery(now: Date): Delivery {
  return { state: "PENDING", tries: 0, interruptions: 0, nextAttemptAt: now, lease: null };
}

/** Undefined if it is not due, or if another claim has it. */
export function claimDelivery(
  delivery: Delivery,
  by: string,
  now: Date,
  leaseMs: number,
): Delivery | undefined {
  const { state, nextAttemptAt, lease } = delivery;
  if (state !== "PENDING" || nextAttemptAt > now || (lease !== null && lease.until >= now)) return undefined;
  return { ...delivery, lease: { by, until: new Date(now.getTime() + leaseMs) } };
}

/** Undefined if this claim lost it. */
export function extendClaim(
  delivery: Delivery,
  by: string,
  now: Date,
  leaseMs: number,
): Delivery | undefined {
  if (delivery.lease?.by !== by) return undefined;
  return { ...delivery, lease: { by, until: new Date(now.getTime() + leaseMs) } };
}

/** It was not sent: another worker can claim it at once. Undefined if this claim lost it. */
export function giveBack(delivery: Delivery, by: string): Delivery | undefined {
  return delivery.lease?.by === by ? { ...delivery, lease: null } : undefined;
}

export type Used = Pick<Delivery, "tries" | "interruptions">;
type Settlement = Used &
  ({ state: "PENDING"; waitMs: number } | { state: Exclude<DeliveryState, "PENDING"> });

/** What follows from an attempt's answer. */
export function settle(used: Used, answer: DeliveryAnswer, now: Date, chance: number): Settlement {
  const { tries, interruptions } = used;
  const waitMs = interruptedWaitMs(answer, interruptions, chance);
  if (waitMs !== undefined) return { state: "PENDING", waitMs, tries, interruptions: interruptions + 1 };
  return { ...nextStep(answer, tries + 1, now, chance), tries: tries + 1, interruptions };
}

/** Undefined if this claim lost it: a late answer settles nothing. */
export function settleDelivery(
  delivery: Delivery,
  by: string,
  answer: DeliveryAnswer,
  now: Date,
  chance: number,
): Delivery | undefined {
  if (delivery.state !== "PENDING" || delivery.lease?.by !== by) return undefined;
  const { state, tries, interruptions, ...next } = settle(delivery, answer, now, chance);
  const nextAttemptAt = "waitMs" in next ? new Date(now.getTime() + next.waitMs) : delivery.nextAttemptAt;
  return { state, tries, interruptions, nextAttemptAt, lease: null };
}

/** The app wants no more of these events, or was uninstalled. */
export function endDelivery(delivery: Delivery): Delivery {
  return delivery.state === "PENDING" ? { ...delivery, state: "ENDED", lease: null } : delivery;
}

/** All tries again. Undefined unless it is dead, or delivered and sent again by explicit choice. */
export function replayDelivery(delivery: Delivery, now: Date, delivered = false): Delivery | undefined {
  const replayable = delivery.state === "DEAD" || (delivered && delivery.state === "DELIVERED");
  return replayable ? acceptDelivery(now) : undefined;
}
