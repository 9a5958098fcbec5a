import { eq, sql } from "drizzle-orm";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { reviews, versions } from "@/drizzle/schema/catalog";
import { usageHours, usageSamples } from "@/drizzle/schema/insight";
import { installations, upgrades } from "@/drizzle/schema/installations";
import { evidence } from "@/drizzle/schema/moderation";
import { instanceEvents, instances } from "@/drizzle/schema/runtime";
import { EXPECTED_ENDS, REASON_CODES, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { givenCallWorld } from "@/tests/given-calls";
import {
  givenInstallation,
  givenMember,
  givenTenant,
  givenVersion,
  one,
  SAMPLE_TEXT,
  testPlatform,
} from "@/tests/test-platform";
import { countHours } from "../call-log/count-hours";
import { listRunVersions, readMetrics } from "./read-metrics";

const platform = await testPlatform();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MEBIBYTE = 1024 * 1024;

/** An app with a version that has run, its publisher, and two installations of it. */
async function givenWorld() {
  const calls = await givenCallWorld(platform, "acme");
  const publisher = { ...calls.customer };
  const version = one(await platform.db.select().from(versions));
  await happened(version.id, "started", 40 * 24 * HOUR);
  return { ...calls, publisher, version, listingId: version.listingId };
}

async function happened(
  versionId: string,
  kind: "started" | "ready" | "failed" | "stopped",
  ago: number,
  reasonCode: ReasonCode | null = null,
) {
  const at = new Date(Date.now() - ago);
  await platform.db.insert(instanceEvents).values({ versionId, instanceId: v7(), at, kind, reasonCode });
}

async function sampled(versionId: string, ago: number, usedMs: number, memoryMib: number) {
  await platform.db.insert(usageSamples).values({
    versionId,
    at: new Date(Date.now() - ago),
    instanceId: v7(),
    cpuNs: 0,
    usedNs: usedMs * 1e6,
    elapsedMs: 30_000,
    memoryBytes: memoryMib * MEBIBYTE,
    cpuLimitMillis: 1_000,
    memoryLimitBytes: 512 * MEBIBYTE,
  });
}

// Guarantee: a chart shows what was measured, and a gap where nothing was.
test("average and peak of CPU and memory, with gaps", async () => {
  const { publisher, version, listingId } = await givenWorld();
  await sampled(version.id, 3 * HOUR, 3_000, 100);
  await sampled(version.id, 3 * HOUR + 1, 6_000, 200);
  await sampled(version.id, 25 * HOUR, 30_000, 500);
  const { points, total, limits, bucketMs } = await readMetrics(platform, publisher, listingId, {
    last: "24h",
  });
  expect(bucketMs).toBe(HOUR / 2);
  expect(limits).toEqual({ cpu: 100, memoryBytes: 512 * MEBIBYTE });
  expect(total).toMatchObject({ cpu: 15, peakCpu: 20, memoryBytes: 150 * MEBIBYTE });
  const measured = points.filter(({ cpu }) => cpu !== null);
  expect(measured.length).toBeGreaterThan(0);
  expect(measured.length).toBeLessThanOrEqual(2);
  expect(Math.max(...measured.map(({ peakMemoryBytes }) => peakMemoryBytes ?? 0))).toBe(200 * MEBIBYTE);
  const lastHour = await readMetrics(platform, publisher, listingId, { last: "1h" });
  expect(lastHour).toMatchObject({ bucketMs: MINUTE, total: { cpu: null }, limits: { cpu: null } });
});

test("ranges beyond a day are added up from hours", async () => {
  const { publisher, version, listingId } = await givenWorld();
  const hour = {
    samples: 2,
    elapsedMs: 60_000,
    memoryBytes: 200 * MEBIBYTE,
    peakMemoryBytes: 150 * MEBIBYTE,
  };
  await platform.db.insert(usageHours).values(
    [3, 4, 100, 1_000].map((hoursAgo, index) => ({
      ...hour,
      versionId: version.id,
      hour: sql`date_trunc('hour', now()) - make_interval(hours => ${hoursAgo})`,
      usedNs: (index + 1) * 6_000e6,
      peakCores: 0.5,
    })),
  );
  const read = async (last: "7d" | "30d") => readMetrics(platform, publisher, listingId, { last });
  const week = await read("7d");
  expect(week.bucketMs).toBe(3 * HOUR);
  expect(week.total).toMatchObject({ cpu: 20, peakCpu: 50, memoryBytes: 100 * MEBIBYTE });
  expect(week.points.filter(({ cpu }) => cpu !== null).length).toBeLessThanOrEqual(3);
  expect((await read("30d")).total.cpu).toBe(20);
});

// Guarantee: an instance that the platform ends on purpose does not count as a restart.
test("restarts are failures and unexpected ends", async () => {
  const { publisher, version, listingId } = await givenWorld();
  await happened(version.id, "failed", HOUR, "EXITED");
  for (const code of REASON_CODES) await happened(version.id, "stopped", HOUR, code);
  await happened(version.id, "stopped", HOUR);
  await happened(version.id, "failed", 25 * HOUR, "EXITED");
  const { total, points } = await readMetrics(platform, publisher, listingId, { last: "24h" });
  expect(total.restarts).toBe(1 + REASON_CODES.length - EXPECTED_ENDS.length);
  expect(points.reduce((sum, { restarts }) => sum + restarts, 0)).toBe(total.restarts);
});

/** Moves an installation to another version, as an upgrade that ended. */
async function switched(
  installation: { id: string; createdBy: string },
  fromVersionId: string,
  toVersionId: string,
  ago: number,
) {
  const switchedAt = new Date(Date.now() - ago);
  const { id: installationId, createdBy } = installation;
  const revisions = { fromRevision: 1, toRevision: 2 };
  await platform.db.insert(upgrades).values({
    installationId,
    fromVersionId,
    toVersionId,
    ...revisions,
    state: "DONE" as const,
    switchedAt,
    createdBy,
  });
  await platform.db
    .update(installations)
    .set({ versionId: toVersionId })
    .where(eq(installations.id, installationId));
}

// Guarantee: a version's chart counts the calls that it received, of all customers, however they moved between versions.
test.each(["24h", "7d"] as const)("calls of all customers, by version, in the last %s", async (last) => {
  const { publisher, version, listingId, call, launch } = await givenWorld();
  const other = await givenMember(platform, "harbor");
  const { tenant } = await givenTenant(platform, other);
  const theirs = await givenInstallation(platform, other, version, tenant.id);
  const organizationId = other.organization.id;
  const next = await givenVersion(platform, version, "2.0.0");
  await happened(next.id, "started", HOUR);
  await switched(theirs.installation, version.id, next.id, 10 * HOUR);
  await switched(theirs.installation, next.id, version.id, 5 * HOUR);
  for (const ago of [2, 20]) await call("autofill", { ago: ago * HOUR });
  for (const ago of [2, 7, 8, 13])
    await call("webhook", { ago: ago * HOUR, given: theirs, organizationId, failure: "It returned 500." });
  // Customers that automatic checks make up have their own instance.
  await call("autofill", { ago: HOUR, given: launch });
  const reviewed = { listingId, versionId: version.id, text: SAMPLE_TEXT, submittedBy: publisher.userId };
  const review = one(await platform.db.insert(reviews).values(reviewed).returning());
  const checked = one(
    await platform.db.insert(evidence).values({ reviewId: review.id, organizationId }).returning(),
  );
  await platform.db.update(installations).set({ evidenceId: checked.id }).where(eq(installations.test, true));
  await countHours(platform);
  const count = async (number: string) => {
    const { calls } = await readMetrics(platform, publisher, listingId, { version: number, last });
    return [calls.total.calls, calls.total.failed];
  };
  expect(await count(version.number)).toEqual([4, 2]);
  expect(await count("2.0.0")).toEqual([2, 2]);
});

// Guarantee: a publisher sees the metrics of its own apps only.
test("another organization's listing and a version that never ran are not found", async () => {
  const { publisher, version, listingId } = await givenWorld();
  const stranger = await givenMember(platform, "harbor");
  const missing = { code: "NOT_FOUND" };
  await expect(readMetrics(platform, stranger, listingId, { last: "1h" })).rejects.toMatchObject(missing);
  await expect(listRunVersions(platform, stranger, listingId)).rejects.toMatchObject(missing);
  const unknown = { version: "9.9.9", last: "1h" } as const;
  await expect(readMetrics(platform, publisher, listingId, unknown)).rejects.toMatchObject(missing);
  expect(await listRunVersions(platform, publisher, listingId)).toEqual([
    { id: version.id, number: version.number, isRunning: false },
  ]);
  await platform.db.insert(instances).values({ versionId: version.id, runtime: "process" });
  expect(await listRunVersions(platform, publisher, listingId)).toMatchObject([{ isRunning: true }]);
});

// Guarantee: the page opens with what customers use, not with what was published last.
test("of the versions that run, the most used one comes first", async () => {
  const { publisher, version, listingId } = await givenWorld();
  const newer = await givenVersion(platform, version, "2.0.0");
  await happened(newer.id, "started", HOUR);
  for (const versionId of [version.id, newer.id])
    await platform.db.insert(instances).values({ versionId, runtime: "process" });
  const numbers = async () =>
    (await listRunVersions(platform, publisher, listingId)).map(({ number }) => number);
  expect(await numbers()).toEqual([version.number, "2.0.0"]);
  await platform.db.update(installations).set({ versionId: newer.id });
  expect(await numbers()).toEqual(["2.0.0", version.number]);
});
