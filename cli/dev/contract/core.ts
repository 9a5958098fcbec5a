/** How the emulator's core behaves. */
import * as z from "zod";

/** silent: the core accepts connections and never answers. */
export const CORE_SPEEDS = ["normal", "slow", "silent"] as const;

export const devSettings = z.strictObject({
  core: z.enum(CORE_SPEEDS),
  /** How long a slow core waits before it answers. */
  coreDelayMs: z.int().min(0).max(120_000),
});
export type DevSettings = z.infer<typeof devSettings>;
