/**
 * The life of a delivery. The queries of `lib/server/calls/deliveries/` have these moves as guards of their updates. Pure: time and
 * randomness are arguments.
 *
 * | from      | to        | when                                                                                       |
 * | --------- | --------- | ------------------------------------------------------------------------------------------ |
 * |           | PENDING   | its event was accepted                                                                     |
 * | PENDING   | PENDING   | claimed, extended, or given back by a worker; or to be tried again: see `backoff.ts`       |
 * | PENDING   | DELIVERED | the app answered 2xx                                                                       |
 * | PENDING   | DEAD      | all tries failed, or the app refused the event for good                                    |
 * | PENDING   | ENDED     | the app answered 410, was uninstalled, or its new version doesn't declare the route        |
 * | DEAD      | PENDING   | replayed by a person, with all tries                                                       |
 * | DELIVERED | PENDING   | the same, on its own                                                                       |
 */
import type { DeliveryHold, DeliveryState } from "@/lib/contract/catalog/installation-states";
import { type DeliveryAnswer, interruptedWaitMs, nextStep } from "./backoff";
import type { Probe } from "./breaker";

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

type Used = Pick<Delivery, "tries" | "interruptions">;
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

/** The app refuses further events of this route, or was uninstalled. */
export function endDelivery(delivery: Delivery): Delivery {
  return delivery.state === "PENDING" ? { ...delivery, state: "ENDED", lease: null } : delivery;
}

/** All tries again. Undefined unless it is dead, or delivered and sent again by explicit choice. */
export function replayDelivery(delivery: Delivery, now: Date, delivered = false): Delivery | undefined {
  const replayable = delivery.state === "DEAD" || (delivered && delivery.state === "DELIVERED");
  return replayable ? acceptDelivery(now) : undefined;
}

/** Why a delivery was sent later than it was due. */
export interface DeliveryWait {
  dueAt: Date;
  heldBy: DeliveryHold;
}

interface Claimed {
  dueAt: Date;
  /** When the installation last became `RUNNING`; null if that was not recorded. */
  runningSince: Date | null;
  /** When the instance that receives it became ready. */
  readyAt: Date | null;
  /** When the installation's circuit breaker last closed; null if it never opened. */
  breakerClosedAt?: Date | null;
  /** The breaker that it tests. */
  probe?: Probe | null;
}

/** Undefined for a delivery that was not delayed: it was sent as soon as a worker was free. */
export function explainWait(claimed: Claimed): DeliveryWait | undefined {
  const { dueAt, runningSince, readyAt, breakerClosedAt = null, probe = null } = claimed;
  if (runningSince !== null && runningSince > dueAt) return { dueAt, heldBy: "NOT_RUNNING" };
  if (readyAt !== null && readyAt > dueAt) return { dueAt, heldBy: "NOT_READY" };
  if (probe !== null || (breakerClosedAt !== null && breakerClosedAt > dueAt))
    return { dueAt, heldBy: "BREAKER_OPEN" };
  return undefined;
}

/**
 * Which due deliveries a worker sends next. Neither an installation, nor an app, nor an organization gets more lanes than it
 * leaves free: one that fills its share waits, and a lane is left for everybody else. A single busy app gets half of the
 * lanes, and the more there are, the less each gets.
 */
export interface Due {
  id: string;
  installationId: string;
  versionId: string;
  organizationId: string;
}

/** How many lanes are in use: in total, and by id of installation, version and organization. */
export class LanesInUse {
  total = 0;
  readonly #counts = new Map<string, number>();

  take(due: Omit<Due, "id">): void {
    this.#add(due, 1);
  }

  release(due: Omit<Due, "id">): void {
    this.#add(due, -1);
  }

  /** Whether it stays within its share of `lanes`. */
  allows(due: Omit<Due, "id">, lanes: number): boolean {
    const free = lanes - this.total;
    return sharers(due).every((id) => (this.#counts.get(id) ?? 0) + 1 <= free - 1);
  }

  #add(due: Omit<Due, "id">, change: 1 | -1): void {
    this.total += change;
    for (const id of sharers(due)) {
      const count = (this.#counts.get(id) ?? 0) + change;
      if (count === 0) this.#counts.delete(id);
      else this.#counts.set(id, count);
    }
  }
}

const sharers = ({ installationId, versionId, organizationId }: Omit<Due, "id">) => [
  installationId,
  versionId,
  organizationId,
];

/**
 * Takes due deliveries round after round, one of each installation at a time, as far as the lanes go. Removes them from
 * their lists, and counts them as in use.
 */
export function pickFairly<Item extends Due>(
  waiting: Map<string, Item[]>,
  inUse: LanesInUse,
  lanes: number,
): Item[] {
  const picked: Item[] = [];
  const open = new Set(waiting.keys());
  while (open.size > 0) {
    for (const installationId of open) {
      const list = waiting.get(installationId);
      const [next] = list ?? [];
      if (list === undefined || next === undefined) waiting.delete(installationId);
      if (list === undefined || next === undefined || !inUse.allows(next, lanes)) {
        open.delete(installationId);
        continue;
      }
      list.shift();
      inUse.take(next);
      picked.push(next);
      // The next call begins with those that did not get their turn.
      waiting.delete(installationId);
      if (list.length > 0) waiting.set(installationId, list);
    }
  }
  return picked;
}
