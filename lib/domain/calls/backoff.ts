/** When something that failed is tried again: deliveries and instances. Pure: time and randomness are arguments. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Wait before each attempt, including the first: ten attempts within about four days. */
export const RETRY_WAITS_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** The waits before the attempts that are left after `tries`, without jitter. */
export function listRetryWaits(tries: number): readonly number[] {
  return RETRY_WAITS_MS.slice(tries);
}

const LONGEST_WAIT_MS = 24 * HOUR;

/** Half-width of the jitter, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

export interface DeliveryAnswer {
  /** Null if there was no response: a timeout or a connection error. */
  status: number | null;
  /** The response's `Retry-After` header. */
  retryAfter?: string | null;
  /**
   * The app's instance or its state was gone. `refused`: nothing accepted the connection, so the app never saw the event, or it could
   * not read its state. `cut`: it crashed before it answered, and this event may be the cause.
   */
  interrupted?: "refused" | "cut";
}

type NextStep =
  | { state: "DELIVERED" }
  /** The app refuses further events of this route. */
  | { state: "ENDED" }
  | { state: "DEAD" }
  | { state: "PENDING"; waitMs: number };

/**
 * @param tries attempts so far, including this one
 * @param chance from 0 to 1
 */
export function nextStep(
  { status, retryAfter }: DeliveryAnswer,
  tries: number,
  now: Date,
  chance: number,
): NextStep {
  if (status === 410) return { state: "ENDED" };
  if (isSuccess(status)) return { state: "DELIVERED" };
  if (!isRetryable(status)) return { state: "DEAD" };
  const wait = RETRY_WAITS_MS[tries];
  if (wait === undefined) return { state: "DEAD" };
  const asked = readRetryAfter(retryAfter, now);
  return { state: "PENDING", waitMs: Math.round(Math.max(jitter(wait, chance), asked)) };
}

const jitter = (wait: number, chance: number) => wait * (1 - JITTER + 2 * JITTER * chance);

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Other 4xx and redirects mean that the request is wrong, and a retry would send the same request. */
export function isRetryable(status: number | null): boolean {
  return status === null || status === 408 || status === 429 || status >= 500;
}

/**
 * Waits after attempts that use no try. An event that crashes the app gets few of them, and then uses its tries; one that
 * the app never saw gets more.
 */
const INTERRUPTED_WAITS_MS = {
  refused: [SECOND, SECOND, 2 * SECOND, ...Array<number>(47).fill(5 * SECOND)],
  cut: [5 * SECOND, 10 * SECOND, 20 * SECOND],
} as const;

/** The most attempts of a delivery that use no try. */
export const MOST_INTERRUPTIONS = INTERRUPTED_WAITS_MS.refused.length;

/** Undefined if the attempt uses a try like any other. @param interruptions earlier attempts that used no try */
export function interruptedWaitMs(
  { interrupted }: DeliveryAnswer,
  interruptions: number,
  chance: number,
): number | undefined {
  const wait = interrupted && INTERRUPTED_WAITS_MS[interrupted][interruptions];
  return wait === undefined ? undefined : Math.round(jitter(wait, chance));
}

/** Seconds or a date (RFC 9110). 0 if absent or invalid, at most 24 hours. */
export function readRetryAfter(text: string | null | undefined, now: Date): number {
  if (text === null || text === undefined) return 0;
  const trimmed = text.trim();
  const wait = /^\d{1,12}$/.test(trimmed) ? Number(trimmed) * SECOND : Date.parse(trimmed) - now.getTime();
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), LONGEST_WAIT_MS);
}

/** Wait before the next restart of an instance, by the number of its recent failures. See `lib/domain/runtime/instance.ts`. */
const RESTART_WAITS_MS = [
  0,
  0,
  2 * SECOND,
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
] as const;
const LONGEST_RESTART_WAIT_MS = 5 * MINUTE;

export function restartWaitMs(failures: number): number {
  return RESTART_WAITS_MS[failures] ?? LONGEST_RESTART_WAIT_MS;
}
