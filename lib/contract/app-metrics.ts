/** What the running instances of a version used and did over time, for its publisher. */
import * as z from "zod";
import { callChart } from "./call-log";

const moment = z.iso.datetime();

/**
 * Of each instance: the average, and the busiest one at its busiest. CPU in percent of one core. Null where nothing was measured.
 * `restarts`: how often an instance failed or ended unexpectedly.
 */
const usage = {
  cpu: z.number().nullable(),
  peakCpu: z.number().nullable(),
  memoryBytes: z.number().nullable(),
  peakMemoryBytes: z.number().nullable(),
  restarts: z.number(),
};

/** `points`: one for each bucket, oldest first. `calls` has the same buckets. */
export const appMetrics = z.object({
  from: moment,
  to: moment,
  bucketMs: z.number(),
  points: z.array(z.object({ at: moment, ...usage })),
  total: z.object(usage),
  /** Of each instance; null if it has none. */
  limits: z.object({ cpu: z.number().nullable(), memoryBytes: z.number().nullable() }),
  calls: callChart,
});
export type AppMetrics = z.infer<typeof appMetrics>;
