export interface Clock {
  /** Milliseconds that never go back. */
  now: () => number;
  /** Runs once after this time. Returns what cancels it. */
  after: (ms: number, run: () => void) => () => void;
}

/** Its timers don't keep the process running. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
