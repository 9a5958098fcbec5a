/**
 * The circuit breakers of an installation's deliveries: one of each event type, so that a broken type holds back itself alone, and
 * one of the whole, for an app that accepts nothing. While one is not closed, its deliveries wait without using tries. `nextBreakers`
 * makes the moves that follow from an attempt; `takeProbes` of `claim-queries.ts` makes the others. Pure: time is an argument.
 *
 * | which | from      | to        | when                                                                                       |
 * | ----- | --------- | --------- | ------------------------------------------------------------------------------------------ |
 * | type  | CLOSED    | OPEN      | `FAILURES_TO_OPEN` attempts of the type in a row failed                                    |
 * | type  | CLOSED    | OPEN      | the whole closed, and the type had failed before that, or a probe of it fails and none had |
 * |       |           |           | succeeded: in what order the probes of one moment end makes no difference                  |
 * | whole | CLOSED    | OPEN      | as many attempts of other types than those that are open failed in a row                   |
 * | both  | OPEN      | HALF_OPEN | `probeAt` passed: a few deliveries, the probes, are sent; which, `chooseProbes` says       |
 * | both  | HALF_OPEN | HALF_OPEN | no probe had a result within `PROBE_MS`: their worker died, and others are sent            |
 * | both  | HALF_OPEN | OPEN      | the first probe failed: a longer wait; or the app's instance was gone: no wait             |
 * | both  | OPEN,     | CLOSED    | an attempt succeeded, also one that began before: of the type, or for the whole, of any    |
 * |       | HALF_OPEN |           |                                                                                            |
 */
import type { BreakerState } from "@/lib/contract/catalog/installation-states";
import { type DeliveryAnswer, isRetryable, isSuccess } from "./backoff";

export interface Breaker {
  state: BreakerState;
  /** Failures in a row. Of the whole, without those of types that are open. */
  failures: number;
  /** How often it opened without closing since. */
  openings: number;
  openedAt: Date | null;
  /** When the next delivery may be sent; null while it is closed. */
  probeAt: Date | null;
  closedAt: Date | null;
  /** Of the last failure, if nothing succeeded since. */
  reason: string | null;
  failedAt: Date | null;
}

export const NEVER_OPENED: Breaker = {
  state: "CLOSED",
  failures: 0,
  openings: 0,
  openedAt: null,
  probeAt: null,
  closedAt: null,
  reason: null,
  failedAt: null,
};

export interface Breakers {
  whole: Breaker;
  /** By event type. Those that never failed may be missing. */
  types: ReadonlyMap<string, Breaker>;
}

export const FAILURES_TO_OPEN = 10;

/** How long it stays open, by the number of openings: short enough that no event waits a minute for an app that works. */
const OPEN_MS = [5_000, 10_000, 20_000, 30_000] as const;
const LONGEST_OPEN_MS = 30_000;
/** Sent at the same time: one that hangs must not delay the others' turns. */
const MOST_PROBES = 64;
/** As many from each end of a queue can be probes. */
export const PROBES_OF_END = MOST_PROBES / 2;

/** A probe without a result after this time was lost with its worker. Longer than a delivery can take. */
export const PROBE_MS = 45_000;

/** Which breaker an attempt tests. */
export type Probe = "whole" | "type";

/** What an attempt says about the app. */
export interface Signal {
  eventType: string;
  /** `works`: it answered as it should, even if it refused the event. `gone`: its instance was gone. */
  app: "works" | "fails" | "gone";
  /** The breaker that was half open when this attempt was sent; null if none was. */
  probe: Probe | null;
  reason: string | null;
}

export function readSignal(
  answer: DeliveryAnswer,
  { eventType, probe }: Pick<Signal, "eventType" | "probe">,
  reason: string | null,
): Signal {
  if (answer.interrupted !== undefined) return { eventType, app: "gone", probe, reason };
  const fails = !isSuccess(answer.status) && isRetryable(answer.status);
  return { eventType, app: fails ? "fails" : "works", probe, reason };
}

/** The breakers after an attempt. Those that did not change are the same objects. */
export function nextBreakers(breakers: Breakers, signal: Signal, now: Date): Breakers {
  const { whole } = breakers;
  const type = breakers.types.get(signal.eventType) ?? NEVER_OPENED;
  if (signal.app === "works") return close(breakers, signal, now);
  const isHeld = whole.state !== "CLOSED" || type.state !== "CLOSED";
  // Attempts that began before one opened say nothing new.
  if (isHeld && signal.probe === null) return breakers;
  // Another probe showed that the app handles the type, but not all payloads.
  if (signal.probe !== null && hasWorked(signal.probe, whole, type)) return breakers;
  if (signal.app === "gone") return isHeld ? probeAgain(breakers, signal.eventType, now) : breakers;
  const failed = fail(type, signal.reason, now);
  // A probe that fails when the whole is closed already: another one succeeded, so the type is broken by itself.
  const isLate = signal.probe === "whole" && whole.state === "CLOSED";
  const isOpening = type.state !== "CLOSED" || isLate || failed.failures >= FAILURES_TO_OPEN;
  return {
    whole: isLate ? whole : nextWhole(breakers, signal.eventType, isOpening, failed),
    types: withType(breakers, signal.eventType, isOpening ? open(failed, now) : failed),
  };
}

/** Whether a probe of the type succeeded since the probes were sent. */
function hasWorked(probe: Probe, whole: Breaker, type: Breaker): boolean {
  if (type.state !== "CLOSED") return false;
  if (probe === "type") return true;
  const [wholeAt, typeAt] = [whole.closedAt?.getTime(), type.closedAt?.getTime()];
  return whole.state === "CLOSED" && wholeAt !== undefined && typeAt !== undefined && typeAt >= wholeAt;
}

/** @param failed the type, after the failure at `failed.failedAt` */
function nextWhole(
  { whole, types }: Breakers,
  eventType: string,
  isOpening: boolean,
  failed: Breaker,
): Breaker {
  const now = failed.failedAt ?? new Date(0);
  const next = fail(whole, failed.reason, now);
  if (whole.state !== "CLOSED") return open(next, now);
  if (types.get(eventType)?.openedAt) return whole;
  // From now on, the type waits by itself.
  if (isOpening) return { ...whole, failures: Math.max(0, next.failures - failed.failures) };
  return next.failures < FAILURES_TO_OPEN ? next : open(next, now);
}

/** The app works. What failed while nothing worked may be broken by itself: each such type gets a probe of its own, at once. */
function close(breakers: Breakers, { eventType, probe }: Signal, now: Date): Breakers {
  const { whole } = breakers;
  const type = breakers.types.get(eventType) ?? NEVER_OPENED;
  // The other probes of its type may still fail.
  const closed = probe === null ? closeOne(type, now) : { ...NEVER_OPENED, closedAt: now };
  const types = closed === NEVER_OPENED ? breakers.types : withType(breakers, eventType, closed);
  if (whole.state === "CLOSED") return { whole: closeOne(whole, now), types };
  const held = [...types].map(([name, each]): [string, Breaker] => [
    name,
    name === eventType || each.failures === 0
      ? each
      : { ...each, state: "OPEN", openedAt: each.openedAt ?? now, probeAt: now },
  ]);
  return { whole: closeOne(whole, now), types: new Map(held) };
}

function closeOne(breaker: Breaker, now: Date): Breaker {
  if (breaker.state === "CLOSED" && breaker.failures === 0) return breaker;
  return { ...NEVER_OPENED, closedAt: breaker.state === "CLOSED" ? breaker.closedAt : now };
}

/** The checks of the instance notice a crash. The next probe follows when one is ready again. */
function probeAgain(breakers: Breakers, eventType: string, now: Date): Breakers {
  const again = (breaker: Breaker): Breaker => ({ ...breaker, state: "OPEN", probeAt: now });
  if (breakers.whole.state !== "CLOSED") return { ...breakers, whole: again(breakers.whole) };
  return {
    ...breakers,
    types: withType(breakers, eventType, again(breakers.types.get(eventType) ?? NEVER_OPENED)),
  };
}

function withType({ types }: Breakers, eventType: string, breaker: Breaker): ReadonlyMap<string, Breaker> {
  return types.get(eventType) === breaker ? types : new Map([...types, [eventType, breaker]]);
}

function fail(breaker: Breaker, reason: string | null, now: Date): Breaker {
  return { ...breaker, failures: breaker.failures + 1, reason, failedAt: now };
}

/** The other probes that fail don't make it wait longer. */
function open(breaker: Breaker, now: Date): Breaker {
  if (breaker.state === "OPEN") return breaker;
  const wait = OPEN_MS[breaker.openings] ?? LONGEST_OPEN_MS;
  return {
    ...breaker,
    state: "OPEN",
    openings: breaker.openings + 1,
    openedAt: breaker.openedAt ?? now,
    probeAt: new Date(now.getTime() + wait),
  };
}

/** A delivery that could be a probe. */
export interface Candidate {
  eventType: string;
  /** When its type last failed; null if it did not since its last success. */
  typeFailedAt: Date | null;
  /** It was sent before, and failed. */
  retried: boolean;
  /** How often the breaker that it waits for opened. */
  openings: number;
}

/**
 * Those that most likely succeed. Of the whole, one of each type: first of types that work, as far as is known, then of those that were
 * not tried for the longest time. Of those that never failed, more at each opening (2, 8, 32, 64), from both ends of their queue: where in
 * it the one is that the app handles makes little difference then, and each costs one try. If all failed before, two of a type.
 * @param candidates of each queue, from its ends inward
 */
export function chooseProbes<Item extends Candidate>(
  breaker: "whole" | "type",
  candidates: readonly Item[],
): Item[] {
  const rank = ({ typeFailedAt, retried }: Candidate) =>
    [typeFailedAt?.getTime() ?? 0, retried ? 1 : 0] as const;
  const sorted = candidates.toSorted((one, other) => {
    const [failed, retried] = rank(one);
    const [otherFailed, otherRetried] = rank(other);
    return failed - otherFailed || retried - otherRetried;
  });
  const fresh = sorted.filter(({ retried }) => !retried);
  const most = Math.min(MOST_PROBES, 2 * 4 ** Math.max(0, (sorted[0]?.openings ?? 0) - 1));
  if (breaker === "type") return fresh.length > 0 ? fresh.slice(0, most) : sorted.slice(0, 2);
  const types = new Map<string, Item>();
  for (const each of sorted) if (!types.has(each.eventType)) types.set(each.eventType, each);
  const firsts = [...types.values()].slice(0, MOST_PROBES);
  return [...new Set([...firsts, ...fresh])].slice(0, Math.max(firsts.length, most));
}
