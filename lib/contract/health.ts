/** Whether a running installation works, and what fails. Derived at each read, never stored. */
import * as z from "zod";
import { REASON_CODES } from "./instance-reasons";
import { INSTALLATION_STATES } from "./installation-states";

/** What pages show and filter by: the state, or what health makes of `RUNNING`. `ASLEEP`: the next call starts it. */
export const INSTALLATION_STATUSES = [...INSTALLATION_STATES, "DEGRADED", "DOWN", "ASLEEP"] as const;
export type InstallationStatus = (typeof INSTALLATION_STATUSES)[number];

export const healthProblem = z.object({
  /**
   * `parked`: it crashed so often that it is not restarted anymore. `not-running`: no instance is ready. `failures`: instances failed lately, and one runs again. `health-checks` and
   * `calls`: the running instance fails them. `deliveries-paused`: the circuit breaker is open, and events wait.
   */
  cause: z.enum(["parked", "not-running", "failures", "health-checks", "calls", "deliveries-paused"]),
  since: z.iso.datetime(),
  /** How often it failed since then. 0 if nothing failed, such as while the platform restarts. */
  count: z.number(),
  /** Why it failed the last time, as a sentence. */
  reason: z.string(),
  /** The same for machines; null for failed calls and deliveries, and for instances that ended before codes were recorded. */
  code: z.enum(REASON_CODES).nullable(),
});
export type HealthProblem = z.infer<typeof healthProblem>;

export const healthView = z.object({
  status: z.enum(INSTALLATION_STATUSES),
  /** The worst first. Empty unless it is degraded or down. */
  problems: z.array(healthProblem),
});
export type HealthView = z.infer<typeof healthView>;
