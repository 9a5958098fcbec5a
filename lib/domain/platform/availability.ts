import type { AwayPart, BeatingPart } from "@/lib/contract/platform/availability";

/** How often a part reports that it works. */
export const BEAT_MS = 2_000;

/** A part that has not reported for this long is away: it ended, it hangs, or it can't reach the database. */
export const AWAY_AFTER_MS = 5 * BEAT_MS;

/** When one of the processes of a part last reported. */
export interface Beat {
  part: BeatingPart;
  /** On the database's clock, so that the clocks of machines don't matter. */
  agoMs: number;
}

interface Looked {
  /** When the look ended, in milliseconds. */
  at: number;
  /** Since when the database has not answered; null while it answers. */
  awaySince: number | null;
  /** How long it has been answering, as far as known. Meanwhile, parts could report. */
  answeringMs: number;
  /** The newest of each part. A part that has never reported is not listed: it is of an earlier release, or not used here. */
  beats: readonly Beat[];
}

/** What is away. One process of a part is enough for it to be there. */
export function findAway({ at, awaySince, answeringMs, beats }: Looked): AwayPart[] {
  if (awaySince !== null) return [{ part: "database", since: new Date(awaySince).toISOString() }];
  // Nobody could report while the database was away.
  return beats
    .filter(({ agoMs }) => Math.min(agoMs, answeringMs) > AWAY_AFTER_MS)
    .map(({ part, agoMs }) => ({ part, since: new Date(at - agoMs).toISOString() }));
}
