/** What the drills prove about the app, and what each of them found. */
import * as z from "zod";

export const DRILL_NAMES = [
  "slow-core",
  "expired-key",
  "unknown-key",
  "two-customers",
  "restart",
  "kill",
] as const;
export type DrillName = (typeof DRILL_NAMES)[number];

/** What each drill proves, for people. */
export const DRILLS: Record<DrillName, { title: string; proves: string }> = {
  "slow-core": {
    title: "Slow core",
    proves: "The app answers in time when the core that it calls is slow or doesn't answer.",
  },
  "expired-key": {
    title: "Expired key",
    proves: "The app refuses a request whose state key has expired, and stays healthy.",
  },
  "unknown-key": {
    title: "Unknown key",
    proves: "The app refuses a request with a key that it can't read state with, and stays healthy.",
  },
  "two-customers": {
    title: "Two customers at once",
    proves: "Calls of two customers, mixed together, never get each other's settings.",
  },
  restart: {
    title: "Restart",
    proves: "The app answers the same after a restart: it keeps nothing that calls need.",
  },
  kill: {
    title: "Kill",
    proves: "After kill -9 in the middle of calls, the app starts again and answers.",
  },
};

export const devDrill = z.object({
  name: z.enum(DRILL_NAMES),
  state: z.enum(["idle", "running", "passed", "warned", "failed", "skipped"]),
  startedAt: z.iso.datetime().nullable(),
  ms: z.number().nullable(),
  steps: z.array(z.object({ text: z.string(), ok: z.boolean(), detail: z.string() })),
  verdict: z.string().nullable().meta({ description: "What the drill concludes; null before its end." }),
  fix: z.string().nullable().meta({ description: "What to change; null unless it failed or warned." }),
});
export type DevDrill = z.infer<typeof devDrill>;

/** silent: the core accepts connections and never answers. */
export const CORE_SPEEDS = ["normal", "slow", "silent"] as const;

export const devSettings = z.strictObject({
  core: z.enum(CORE_SPEEDS),
  /** How long a slow core waits before it answers. */
  coreDelayMs: z.int().min(0).max(120_000),
});
export type DevSettings = z.infer<typeof devSettings>;
