/** How late the process is because it runs JavaScript. While it does, no request is read and no answer is sent. */

const EVERY_MS = 20;

export interface LoopMeter {
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
  let lastAt = performance.now();
  let lateMs = 0;
  setInterval(() => {
    const now = performance.now();
    lateMs += (Math.max(0, now - lastAt - EVERY_MS) - lateMs) / 4;
    lastAt = now;
  }, EVERY_MS).unref();
  return { lateMs: () => lateMs };
}
