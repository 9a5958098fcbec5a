import type { AppMetrics } from "@/lib/contract/insight/call";
import type { MetricsFilter } from "@/lib/contract/insight/filters";
import { Problem } from "@/lib/contract/platform/problem";
import { TIME_SPANS } from "@/lib/contract/platform/time-range";
import { bucketLength, listBuckets } from "@/lib/domain/calls/call-range";
import type { Member } from "@/lib/domain/platform/actor";
import type { Platform } from "../../platform/platform";
import { drawCalls } from "../call-log/chart-calls";
import { selectPeriods } from "./history-queries";
import {
  callsOfPeriods,
  countRestarts,
  measureHours,
  measureSamples,
  selectRunVersions,
} from "./metrics-queries";

/** In place of the time of a bucket. */
const TOTAL = -1;

/** Samples are kept for two days, and the hours that they add up to for a month. */
const SAMPLED_MS = TIME_SPANS["24h"].ms;

/**
 * What a version of the member's app used and did: CPU, memory, restarts, and the calls of all its customers, added up. Names no
 * customer, and shows nothing that was sent.
 * @throws NOT_FOUND if the listing is another organization's, or if the version has not run in the last month
 */
export async function readMetrics(
  platform: Platform,
  member: Member,
  listingId: string,
  filter: MetricsFilter,
): Promise<AppMetrics> {
  return measureVersion(platform, await listRunVersions(platform, member, listingId), filter);
}

/** The same for versions that were listed before. */
export async function measureVersion(
  platform: Platform,
  versions: Awaited<ReturnType<typeof listRunVersions>>,
  { version: number, last }: MetricsFilter,
): Promise<AppMetrics> {
  const { db, environment } = platform;
  const version = versions.find((each) => number === undefined || each.number === number);
  if (version === undefined && number !== undefined) throw new Problem("NOT_FOUND");
  const to = new Date();
  const from = new Date(to.getTime() - TIME_SPANS[last].ms);
  // Each bucket of a running app has a sample, so that gaps are times in which it didn't run.
  const range = { from, to, bucketMs: bucketLength(from, to, environment.PLATFORM_METRICS_SECONDS * 2_000) };
  const versionId = version?.id;
  const measure = TIME_SPANS[last].ms > SAMPLED_MS ? measureHours : measureSamples;
  const [measured, restarts, periods] =
    versionId === undefined
      ? [[], [], []]
      : await Promise.all([
          measure(db, versionId, range),
          countRestarts(db, versionId, range),
          selectPeriods(db, { versionId }),
        ]);
  const calls = await drawCalls(platform, `${versionId} ${last}`, callsOfPeriods(periods), range);
  const byTime = new Map(measured.map((row) => [row.at?.getTime() ?? TOTAL, row]));
  const restartsByTime = new Map(restarts.map((row) => [row.at.getTime(), row.restarts]));
  const total = byTime.get(TOTAL);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    bucketMs: range.bucketMs,
    points: listBuckets(from, to, range.bucketMs).map((at) => ({
      at: new Date(at).toISOString(),
      ...view(byTime.get(at), restartsByTime.get(at) ?? 0),
    })),
    total: view(
      total,
      restarts.reduce((sum, row) => sum + row.restarts, 0),
    ),
    limits: {
      cpu: typeof total?.cpuLimitMillis === "number" ? total.cpuLimitMillis / 10 : null,
      memoryBytes: total?.memoryLimitBytes ?? null,
    },
    calls,
  };
}

/** The versions that a page can show: those that run first, then the most used, then the newest. */
export async function listRunVersions(platform: Platform, member: Member, listingId: string) {
  const versions = await selectRunVersions(platform.db, member.organization.id, listingId);
  if (versions === undefined) throw new Problem("NOT_FOUND");
  return versions.toSorted((one, other) => Number(other.isRunning) - Number(one.isRunning));
}

type Measured = Awaited<ReturnType<typeof measureSamples>>[number];

function view(measured: Measured | undefined, restarts: number): AppMetrics["total"] {
  return {
    cpu: measured?.cpu ?? null,
    peakCpu: measured?.peakCpu ?? null,
    memoryBytes: measured?.memoryBytes ?? null,
    peakMemoryBytes: measured?.peakMemoryBytes ?? null,
    restarts,
  };
}
