/** How busy the process is with running JavaScript. While it does, no request is read and no answer is sent. */
import { performance } from "node:perf_hooks";

const EVERY_MS = 20;

export interface LoopMeter {
  /** The part of the last moments in which the loop was busy, 0 to 1. */
  busy: () => number;
  /** By how many milliseconds timers are late, a moving average. */
  lateMs: () => number;
}

let meter: LoopMeter | undefined;

/** One meter for the process. It doesn't keep the process running. */
export function measureLoop(): LoopMeter {
  meter ??= startMeter();
  return meter;
}

function startMeter(): LoopMeter {
  let last = performance.eventLoopUtilization();
  let lastAt = performance.now();
  let [busy, lateMs] = [0, 0];
  setInterval(() => {
    const now = performance.now();
    const current = performance.eventLoopUtilization();
    busy = performance.eventLoopUtilization(current, last).utilization;
    lateMs += (Math.max(0, now - lastAt - EVERY_MS) - lateMs) / 4;
    [last, lastAt] = [current, now];
  }, EVERY_MS).unref();
  return { busy: () => busy, lateMs: () => lateMs };
}
