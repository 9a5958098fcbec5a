import { performance, type EventLoopUtilization } from "node:perf_hooks";

type LoopTimes = Pick<EventLoopUtilization, "idle" | "active">;

/** Long enough that a long pass alone doesn't count as busy. */
const PERIOD_MS = 100;
const BUSY_SHARE = 0.95;

/**
 * Tells whether the event loop had hardly any idle time in the last period.
 *
 * @param read how long the loop has been idle and active since it started, in milliseconds
 */
export function watchLoop(read: () => LoopTimes = () => performance.eventLoopUtilization()): () => boolean {
  let before = read();
  let isBusy = false;
  return () => {
    const now = read();
    const active = now.active - before.active;
    const elapsed = active + now.idle - before.idle;
    if (elapsed < PERIOD_MS) return isBusy;
    isBusy = active / elapsed > BUSY_SHARE;
    before = now;
    return isBusy;
  };
}
