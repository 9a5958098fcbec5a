/** Measures what running instances use. See docs/decisions/036-metrics-and-health-history.md. */
import type { Platform } from "../../platform/platform";
import type { Runtimes } from "../../runtime/engines/choose-runtime";
import { type ClaimedInstance, claimSamples, insertSamples, type Sample } from "./sample-queries";

/** Measured at the same time, so that many apps don't flood their engine, and don't wait for one that doesn't answer. */
const AT_ONCE = 10;

/** Measures the ready instances that are due, of which one of several workers claims each. Returns how many it measured. */
export async function sampleInstances(
  platform: Platform,
  runtimes: Runtimes,
  everySeconds = platform.environment.PLATFORM_METRICS_SECONDS,
): Promise<number> {
  // A little less than the interval, so that an early timer does not skip a round.
  const due = await claimSamples(platform.db, everySeconds * 0.9);
  const samples: Sample[] = [];
  for (let first = 0; first < due.length; first += AT_ONCE) {
    const measured = await Promise.all(
      due.slice(first, first + AT_ONCE).map((instance) => measure(runtimes, instance)),
    );
    samples.push(...measured.filter((sample) => sample !== undefined));
  }
  if (samples.length > 0) await insertSamples(platform.db, samples, everySeconds);
  return samples.length;
}

/** Undefined if it has ended or its engine doesn't answer: the health checks say so where it matters. */
async function measure(
  runtimes: Runtimes,
  { id, versionId, runtime, handle }: ClaimedInstance,
): Promise<Sample | undefined> {
  if (handle === null) return undefined;
  const usage = await runtimes
    .byName(runtime)
    ?.usage(handle)
    .catch(() => undefined);
  return usage && { instanceId: id, versionId, usage, measuredAt: performance.now() };
}
