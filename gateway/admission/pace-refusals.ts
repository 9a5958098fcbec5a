/**
 * Sends the first refusals at once, and those of a flood later and one after another. Otherwise, clients that retry as soon as
 * they are refused would use up, in bursts, the time that the gateway needs for the requests it accepted.
 */
const AT_ONCE_PER_SECOND = 50;
const AT_ONCE_BURST = 100;
const LATER_PER_SECOND = 1_000;
const HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 3_000;

/** @returns for each refusal, how many milliseconds to hold it */
export function createPacer(now: () => number = () => performance.now()): () => number {
  let tokens = AT_ONCE_BURST;
  let at = now();
  let lastAnswerAt = 0;
  return () => {
    const time = now();
    tokens = Math.min(AT_ONCE_BURST, tokens + ((time - at) / 1000) * AT_ONCE_PER_SECOND);
    at = time;
    if (tokens >= 1) {
      tokens -= 1;
      return 0;
    }
    const next = Math.max(time + HOLD_MS, lastAnswerAt + 1000 / LATER_PER_SECOND);
    lastAnswerAt = Math.min(next, time + LONGEST_HOLD_MS);
    return lastAnswerAt - time;
  };
}
