/** Calls of the last 24 hours, hour by hour: what a row of a list shows as a small line. Pure. */

/** With the current hour. */
export const HOURS_OF_DAY = 24;

export interface CallsOfDay {
  calls: number;
  failed: number;
  /** Of each hour, oldest first. Empty if there were none. */
  hours: readonly { calls: number; failed: number }[];
}

export const NO_CALLS: CallsOfDay = { calls: 0, failed: 0, hours: [] };

interface HourOfCalls {
  /** How many hours ago it began; 0 for the current one. */
  ago: number;
  calls: number;
  failed: number;
}

export function toCallsOfDay(counted: readonly HourOfCalls[]): CallsOfDay {
  const hours = Array.from({ length: HOURS_OF_DAY }, () => ({ calls: 0, failed: 0 }));
  for (const { ago, calls, failed } of counted) {
    const hour = hours[HOURS_OF_DAY - 1 - ago];
    if (hour === undefined) continue;
    hour.calls += calls;
    hour.failed += failed;
  }
  const total = (read: "calls" | "failed") => hours.reduce((sum, hour) => sum + hour[read], 0);
  const calls = total("calls");
  return calls === 0 ? NO_CALLS : { calls, failed: total("failed"), hours };
}

/** The keys of what was called most, or failed most, first. */
export function sortByCalls(
  days: ReadonlyMap<string, CallsOfDay>,
  count: "calls" | "failed",
): readonly string[] {
  return [...days].sort(([, one], [, other]) => other[count] - one[count]).map(([key]) => key);
}

export function sumCalls(days: readonly CallsOfDay[]): CallsOfDay {
  return toCallsOfDay(
    days.flatMap(({ hours }) => hours.map((hour, index) => ({ ...hour, ago: HOURS_OF_DAY - 1 - index }))),
  );
}
