/**
 * The circuit breaker of an installation's deliveries: while it is not closed, they wait without using tries. `nextBreaker` makes
 * the moves that follow from an attempt; `takeProbes` of `claim-queries.ts` makes the others. Pure: time is an argument.
 *
 * | from      | to        | when                                                                                |
 * | --------- | --------- | ----------------------------------------------------------------------------------- |
 * | CLOSED    | OPEN      | `FAILURES_TO_OPEN` attempts in a row failed                                         |
 * | OPEN      | HALF_OPEN | `probeAt` passed: one delivery, the probe, is sent                                  |
 * | HALF_OPEN | HALF_OPEN | the probe had no result within `PROBE_MS`: its worker died, and another one is sent |
 * | HALF_OPEN | OPEN      | the probe failed: a longer wait; or the app's instance was gone: no wait            |
 * | OPEN,     | CLOSED    | an attempt succeeded, also one that began before it opened                          |
 * | HALF_OPEN |           |                                                                                     |
 */
import type { BreakerState } from "@/lib/contract/catalog/installation-states";
import { type DeliveryAnswer, isRetryable, isSuccess } from "./backoff";

export interface Breaker {
  state: BreakerState;
  /** Failures in a row. */
  failures: number;
  /** How often it opened without closing since. */
  openings: number;
  openedAt: Date | null;
  /** When the next delivery may be sent; null while it is closed. */
  probeAt: Date | null;
  closedAt: Date | null;
  reason: string | null;
}

export const NEVER_OPENED: Breaker = {
  state: "CLOSED",
  failures: 0,
  openings: 0,
  openedAt: null,
  probeAt: null,
  closedAt: null,
  reason: null,
};

export const FAILURES_TO_OPEN = 10;

/** How long it stays open, by the number of openings: short enough that no event waits a minute for an app that works. */
const OPEN_MS = [5_000, 10_000, 20_000, 30_000] as const;
const LONGEST_OPEN_MS = 30_000;

/** A probe without a result after this time was lost with its worker. Longer than a delivery can take. */
export const PROBE_MS = 45_000;

/** What an attempt says about the app. */
export interface Signal {
  /** `works`: it answered as it should, even if it refused the event. `gone`: its instance was gone. */
  app: "works" | "fails" | "gone";
  /** This attempt was sent while the breaker was half open. */
  probe: boolean;
  reason: string | null;
}

export function readSignal(answer: DeliveryAnswer, probe: boolean, reason: string | null): Signal {
  if (answer.interrupted !== undefined) return { app: "gone", probe, reason };
  const fails = !isSuccess(answer.status) && isRetryable(answer.status);
  return { app: fails ? "fails" : "works", probe, reason };
}

/** The breaker after an attempt. The same object if nothing changed. */
export function nextBreaker(breaker: Breaker, { app, probe, reason }: Signal, now: Date): Breaker {
  if (app === "works") return close(breaker, now);
  // The checks of the instance notice a crash. The next probe follows when one is ready again.
  if (app === "gone") return probe ? { ...breaker, state: "OPEN", probeAt: now } : breaker;
  const failed = { ...breaker, failures: breaker.failures + 1, reason };
  if (breaker.state === "CLOSED") return failed.failures < FAILURES_TO_OPEN ? failed : open(failed, now);
  // Attempts that began before it opened say nothing new.
  return probe ? open(failed, now) : breaker;
}

function close(breaker: Breaker, now: Date): Breaker {
  if (breaker.state === "CLOSED" && breaker.failures === 0) return breaker;
  return { ...NEVER_OPENED, closedAt: breaker.state === "CLOSED" ? breaker.closedAt : now };
}

function open(breaker: Breaker, now: Date): Breaker {
  const wait = OPEN_MS[breaker.openings] ?? LONGEST_OPEN_MS;
  return {
    ...breaker,
    state: "OPEN",
    openings: breaker.openings + 1,
    openedAt: breaker.openedAt ?? now,
    probeAt: new Date(now.getTime() + wait),
  };
}
