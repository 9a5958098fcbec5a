/** Whether a running installation works, and what fails. Derived at each read, never stored. */
import * as z from "zod";
import { INSTALLATION_STATES } from "../catalog/installation-states";
import { REASON_CODES } from "../runtime/instance-reasons";

/** What pages show and filter by: the state, or what health makes of `RUNNING`. `ASLEEP`: the next call starts it. */
export const INSTALLATION_STATUSES = [...INSTALLATION_STATES, "DEGRADED", "DOWN", "ASLEEP"] as const;
export type InstallationStatus = (typeof INSTALLATION_STATUSES)[number];

const healthProblem = z.object({
  /**
   * `parked`: it crashed so often that it is not restarted anymore. `not-running`: no instance is ready. `failures`: instances failed lately, and one runs again. `health-checks` and
   * `calls`: the running instance fails them. `deliveries-paused`: a circuit breaker is open, and events wait.
   */
  cause: z.enum(["parked", "not-running", "failures", "health-checks", "calls", "deliveries-paused"]),
  since: z.iso.datetime(),
  /** How often it failed since then. 0 if nothing failed, such as while the platform restarts. */
  count: z.number(),
  /** Why it failed the last time, as a sentence. */
  reason: z.string(),
  /** The same for machines; null for failed calls and deliveries, and for instances that ended before codes were recorded. */
  code: z.enum(REASON_CODES).nullable(),
  /** Of `deliveries-paused`, if only events of this type wait. */
  eventType: z.string().optional(),
  /** Of `deliveries-paused`: events of so many other types wait too, which have no entry of their own. */
  otherTypes: z.number().optional(),
});
export type HealthProblem = z.infer<typeof healthProblem>;

export const healthView = z.object({
  status: z.enum(INSTALLATION_STATUSES),
  /** The worst first. Empty unless it is degraded or down. */
  problems: z.array(healthProblem),
});
export type HealthView = z.infer<typeof healthView>;

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
  /** What describes it best: see `lib/domain/insight/health-history.ts`. */
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
  /** When anything was known first, ISO 8601; null if that was before the strip begins, or never. */
  since: string | null;
}

export interface HealthHistory {
  day: HealthStrip;
  month: HealthStrip;
}
