/** What follows the answer to one try of a delivery. Pure: time and chance are handed in. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Wait before each try, the first one included: ten tries within about four days. */
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

const LONGEST_WAIT_MS = 24 * HOUR;

/** Half-width of the jitter: many deliveries that failed together do not come back together. */
const JITTER = 0.2;

export interface DeliveryAnswer {
  /** Null when the app gave none: a timeout or a fault of the connection. */
  status: number | null;
  /** The answer's `Retry-After`, as sent. */
  retryAfter?: string | null;
}

export type NextStep =
  | { state: "DELIVERED" }
  /** The app wants no more of these events. */
  | { state: "ENDED" }
  | { state: "DEAD" }
  | { state: "PENDING"; waitMs: number };

/**
 * @param tries how many tries there were, this one included
 * @param chance from 0 to 1
 */
export function nextStep(answer: DeliveryAnswer, tries: number, now: Date, chance: number): NextStep {
  const { status } = answer;
  if (status === 410) return { state: "ENDED" };
  if (status !== null && status >= 200 && status < 300) return { state: "DELIVERED" };
  if (!isWorthAnotherTry(answer)) return { state: "DEAD" };
  const wait = RETRY_WAITS_MS[tries];
  if (wait === undefined) return { state: "DEAD" };
  const jittered = wait * (1 - JITTER + 2 * JITTER * chance);
  const asked = readRetryAfter(answer.retryAfter, now);
  return { state: "PENDING", waitMs: Math.round(Math.max(jittered, asked)) };
}

/** Other 4xx and redirects say that the request is wrong, and it will be the same request again. */
function isWorthAnotherTry({ status }: DeliveryAnswer): boolean {
  return status === null || status === 408 || status === 429 || status >= 500;
}

/** Seconds or a date (RFC 9110); 0 when absent or broken, at most 24 hours. */
export function readRetryAfter(text: string | null | undefined, now: Date): number {
  if (text === null || text === undefined) return 0;
  const trimmed = text.trim();
  const wait = /^\d{1,12}$/.test(trimmed) ? Number(trimmed) * SECOND : Date.parse(trimmed) - now.getTime();
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), LONGEST_WAIT_MS);
}
