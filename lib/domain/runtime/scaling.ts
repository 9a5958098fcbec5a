/**
 * How many replicas of a busy version the platform wants.
 *
 * | from               | to            | when                                                                                    |
 * | ------------------ | ------------- | --------------------------------------------------------------------------------------- |
 * | any number         | a higher one  | at once, if each replica would have more calls in progress than it should; at most double |
 * | more than are needed | one fewer   | they have been too many for five minutes, and again each minute                          |
 */

/** A version, its bounds, and its calls. */
export interface Scaling {
  versionId: string;
  /** What the publisher runs anyway. */
  least: number;
  /** What the publisher and the operator allow. */
  most: number;
  /** How many should run now. */
  wanted: number;
  /** For how long fewer would have been enough, in milliseconds; null if they wouldn't be. */
  enoughMs: number | null;
  /** In progress, on average of the last seconds, at all replicas and from all processes. */
  calls: number;
}

const CALM_MS = 5 * 60_000;
const STEP_MS = 60_000;

/** Undefined if nothing changes. `enoughMs` as in `Scaling`. @param callsEach in progress that each replica should have at most */
export function nextScaling(
  { least, most, wanted, enoughMs, calls }: Scaling,
  callsEach: number,
): { replicas: number; enoughMs: number | null } | undefined {
  const needed = Math.min(Math.max(Math.ceil(calls / callsEach), least), Math.max(most, least));
  if (needed > wanted) return { replicas: Math.min(needed, wanted * 2), enoughMs: null };
  if (needed === wanted) return enoughMs === null ? undefined : { replicas: wanted, enoughMs: null };
  if (enoughMs === null) return { replicas: wanted, enoughMs: 0 };
  return enoughMs < CALM_MS ? undefined : { replicas: wanted - 1, enoughMs: CALM_MS - STEP_MS };
}
