/**
 * Answers the first refusals at once, and the others of a flood after a moment. Who sends again as soon as it is refused
 * would otherwise use the time that the gateway has for the requests it accepted.
 */
import { setTimeout as sleep } from "node:timers/promises";

const PER_SECOND = 200;
const BURST = 200;
const HOLD_MS = 1_000;
/** Beyond, more connections would only cost memory. */
const MOST_HELD = 8_192;

export function createPacer(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let tokens = BURST;
  let at = now();
  let held = 0;
  return () => {
    const time = now();
    tokens = Math.min(BURST, tokens + ((time - at) / 1000) * PER_SECOND);
    at = time;
    if (tokens >= 1) {
      tokens -= 1;
      return undefined;
    }
    if (held >= MOST_HELD) return undefined;
    held += 1;
    return sleep(HOLD_MS).finally(() => (held -= 1));
  };
}
