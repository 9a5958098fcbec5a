import type { Clock } from "@/lib/server/platform/requests/share";

/** A clock that moves only when a test says so, so that no busy machine changes what a test sees. */
export function virtualClock() {
  let time = 0;
  const timers = new Set<{ at: number; run: () => void }>();
  const clock: Clock = {
    now: () => time,
    after: (ms, run) => {
      const timer = { at: time + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const advance = (ms: number) => {
    const end = time + ms;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      timers.delete(next);
      time = Math.max(time, next.at);
      next.run();
    }
    time = end;
  };
  return { clock, advance, countTimers: () => timers.size };
}
