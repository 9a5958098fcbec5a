/** Metrics of an app, for tests of components. */
import type { AppMetrics } from "@/lib/contract/insight/call";
import { sampleCallChart } from "./sample-calls";

const MEBIBYTE = 1024 * 1024;

/** A day with the chart of `sampleCallChart`: a gap of three hours in the morning, then a restart. */
export function sampleMetrics(): AppMetrics {
  const calls = sampleCallChart();
  const points = calls.points.map(({ at }, index) => {
    const isGap = index >= 12 && index < 18;
    const cpu = 12 + 9 * Math.sin((index / 48) * Math.PI * 2 - 1.6);
    const memoryBytes = (90 + ((index * 7) % 40)) * MEBIBYTE;
    const measured = { cpu, peakCpu: cpu * 2 + 4, memoryBytes, peakMemoryBytes: memoryBytes * 1.2 };
    const nothing = { cpu: null, peakCpu: null, memoryBytes: null, peakMemoryBytes: null };
    return { at, ...(isGap ? nothing : measured), restarts: index === 12 || index === 18 ? 2 : 0 };
  });
  return {
    from: calls.from,
    to: calls.to,
    bucketMs: calls.bucketMs,
    points,
    total: {
      ...{ cpu: 12.4, peakCpu: 46, restarts: 4 },
      ...{ memoryBytes: 108 * MEBIBYTE, peakMemoryBytes: 154 * MEBIBYTE },
    },
    limits: { cpu: 100, memoryBytes: 512 * MEBIBYTE },
    calls,
  };
}

/** The same range without anything. */
export function emptyMetrics(): AppMetrics {
  const sample = sampleMetrics();
  const nothing = { cpu: null, peakCpu: null, memoryBytes: null, peakMemoryBytes: null, restarts: 0 };
  const noCalls = { calls: 0, failed: 0, p50: null, p95: null };
  return {
    ...sample,
    points: sample.points.map(({ at }) => ({ at, ...nothing })),
    total: nothing,
    limits: { cpu: null, memoryBytes: null },
    calls: {
      ...sample.calls,
      total: noCalls,
      points: sample.points.map(({ at }) => ({ at, ...noCalls })),
      routes: [],
    },
  };
}
