import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { expect, onTestFinished, test, vi } from "vitest";
import { attempts, attemptStateReads, stateReads } from "@/drizzle/schema/calls";
import { givenInstance } from "@/tests/fake-app";
import { givenInstalledApp, one, readState, testPlatform } from "@/tests/test-platform";
import { callRoute } from "./call-route";
import { recordReads } from "./state-queries";

const platform = await testPlatform();

// Guarantee: no read is lost because several gateways note reads of the same attempts at once.
test("batches that share attempts, in any order, do not deadlock, and add up", async () => {
  const { installation } = await givenInstalledApp(platform);
  const now = performance.now();
  const read = { installationId: installation.id, count: 1, firstMs: now, lastMs: now, revision: 1 };
  const reads = Array.from({ length: 40 }, () => ({ ...read, attemptId: v7() }));
  const rounds = 30;
  for (let round = 0; round < rounds; round += 1)
    await Promise.all([recordReads(platform.pool, reads), recordReads(platform.pool, reads.toReversed())]);
  const noted = await platform.db.select({ count: attemptStateReads.count }).from(attemptStateReads);
  expect(noted).toHaveLength(reads.length);
  expect(new Set(noted.map(({ count }) => count))).toEqual(new Set([2 * rounds]));
});

// Guarantee: an installation that is gone before its read is noted takes no other's note with it.
test("reads of an installation that is gone leave the others' notes", async () => {
  const { installation } = await givenInstalledApp(platform);
  const now = performance.now();
  const read = (installationId: string) => ({
    attemptId: v7(),
    installationId,
    count: 1,
    firstMs: now,
    lastMs: now,
    revision: 1,
  });
  await recordReads(platform.pool, [read(v7()), read(installation.id), read(v7())]);
  const noted = await platform.db.select({ installationId: stateReads.installationId }).from(stateReads);
  expect(noted).toEqual([{ installationId: installation.id }]);
});

// Guarantee: a read is timed on the clock of its call. One within a call is never recorded after the call's end.
test("a read within a call is recorded within it, however late both are written", async () => {
  const { version, route } = await givenInstalledApp(platform);
  const { id: routeId } = route("autofill");
  const pass = givenClock();
  await givenInstance(platform, version.id, async (response, { headers }) => {
    pass(10 * MINUTE);
    await readState(platform, String(headers["x-platform-key"]));
    pass(20 * MINUTE);
    response.end("{}");
  });
  const { attemptId } = await callRoute(platform, routeId, { operation: "newBusiness.create" });
  await platform.services.recorder.flush();
  await platform.services.stateReads.flush();
  const found = await platform.db
    .select({
      startedAt: attempts.startedAt,
      endedAt: attempts.endedAt,
      durationMs: attempts.durationMs,
      readAt: attemptStateReads.firstReadAt,
    })
    .from(attempts)
    .innerJoin(attemptStateReads, eq(attemptStateReads.attemptId, attempts.id))
    .where(eq(attempts.id, attemptId));
  const { startedAt, endedAt, readAt, durationMs } = one(found);
  const minutes = (from: Date | null, to: Date | null) => Math.round((Number(to) - Number(from)) / MINUTE);
  expect({
    untilRead: minutes(startedAt, readAt),
    afterRead: minutes(readAt, endedAt),
    duration: Math.round((durationMs ?? 0) / MINUTE),
  }).toEqual({ untilRead: 10, afterRead: 20, duration: 30 });
});

const MINUTE = 60_000;

/** Lets minutes pass at once, against which the milliseconds of a busy machine don't count. */
function givenClock(): (ms: number) => void {
  const now = performance.now.bind(performance);
  let passed = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + passed);
  onTestFinished(() => void vi.restoreAllMocks());
  return (ms) => void (passed += ms);
}
