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
}

export type NextStep =
  | { state: "DELIVERED" }
  /** The app wants no more of these events. */
  | { state: "ENDED" }
  | { state: "DEAD" }
  | { state: "PENDING"; waitMs: number };

/**
 * @param tries attempts so far, including this one
 * @param chance from 0 to 1
 */
export function nextStep(answer: DeliveryAnswer, tries: number, now: Date, chance: number): NextStep {
  const { status } = answer;
  if (status === 410) return { state: "ENDED" };
  if (status !== null && status >= 200 && status < 300) return { state: "DELIVERED" };
  if (!isRetryable(answer)) return { state: "DEAD" };
  const wait = RETRY_WAITS_MS[tries];
  if (wait === undefined) return { state: "DEAD" };
  const jittered = wait * (1 - JITTER + 2 * JITTER * chance);
  const asked = readRetryAfter(answer.retryAfter, now);
  return { state: "PENDING", waitMs: Math.round(Math.max(jittered, asked)) };
}

/** Other 4xx and redirects mean that the request is wrong, and a retry would send the same request. */
function isRetryable({ status }: DeliveryAnswer): boolean {
  return status === null || status === 408 || status === 429 || status >= 500;
}

/** Seconds or a date (RFC 9110). 0 if absent or invalid, at most 24 hours. */
export function readRetryAfter(text: string | null | undefined, now: Date): number {
  if (text === null || text === undefined) return 0;
  const trimmed = text.trim();
  const wait = /^\d{1,12}$/.test(trimmed) ? Number(trimmed) * SECOND : Date.parse(trimmed) - now.getTime();
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), LONGEST_WAIT_MS);
}

/** Wait before the next restart of an instance, by the number of its recent failures. It is never given up. */
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
