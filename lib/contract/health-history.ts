/** The health of a version, or of what an installation used, over a day and a month. */
/**
 * `UP`: an instance answers its health checks. `DEGRADED`: it fails some of them, or not all instances run that should. `DOWN`: none
 * runs, but one should. `OFF`: none runs and none should. `UNKNOWN`: before anything is known.
 */
export const HEALTH_STATES = ["UP", "DEGRADED", "DOWN", "OFF", "UNKNOWN"] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** A part of a strip. */
export interface HealthSegment {
  /** ISO 8601. */
  from: string;
  to: string;
  /** What describes it best: see `lib/domain/health-history/divide-history.ts`. */
  state: HealthState;
  /** How long it was in each state, in milliseconds. */
  ms: Record<HealthState, number>;
  /** Why it was degraded or down, each once, oldest first; at most three. */
  reasons: string[];
}

export interface HealthStrip {
  /** Oldest first, all of the same length. The last one is not over. */
  segments: HealthSegment[];
  /** Percent of the time in which it was up or should have been; null if it never should have been. */
  healthy: number | null;
}

export interface HealthHistory {
  day: HealthStrip;
  month: HealthStrip;
}
