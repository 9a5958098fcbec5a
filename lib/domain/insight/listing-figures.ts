/** What a listing tells of what the platform measured: added up from its days. Pure. */
import { type LatencyCounts, LatencyTally } from "../calls/call-range";

/** How many days are told, and how many calls there must be: of fewer, a single one would change the figures. */
export const FIGURE_DAYS = 90;
export const FIGURE_CALLS = 100;

/** An organization counts once it has had the app for so long, so that accounts made for the figures' sake don't count at once. */
export const CUSTOMER_DAYS = 7;

/** Of the time in which an app should have run: about a quarter of an hour may be missing from a day. */
const HEALTHY_SHARE = 0.99;

export interface ListingDay extends LatencyCounts {
  wantedMs: number;
  healthyMs: number;
}

export interface ListingFigures {
  /** Null before there are enough calls. */
  calls: { medianMs: number; failedShare: number } | null;
  /** Null before there are enough calls, and if it ran on no day. */
  days: { healthy: number; all: number } | null;
}

export function addFigures(days: readonly ListingDay[]): ListingFigures {
  const tally = new LatencyTally();
  for (const day of days) tally.add(day);
  const { calls, failed, p50 } = tally.measure();
  const ran = days.filter(({ wantedMs }) => wantedMs > 0);
  const healthy = ran.filter(({ wantedMs, healthyMs }) => healthyMs >= HEALTHY_SHARE * wantedMs);
  // Days on which it should have run are those of customers, too.
  if (calls < FIGURE_CALLS) return { calls: null, days: null };
  return {
    calls: p50 === null ? null : { medianMs: p50, failedShare: failed / calls },
    days: ran.length === 0 ? null : { healthy: healthy.length, all: ran.length },
  };
}

/** `0.4%`, and never a 0% that hides a failure. */
export function sayShare(share: number): string {
  if (share === 0) return "0%";
  if (share < 0.001) return "less than 0.1%";
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}
