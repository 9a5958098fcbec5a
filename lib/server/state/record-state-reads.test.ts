import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { attempts, attemptStateReads } from "@/drizzle/schema/deliveries";
import { givenInstance } from "@/tests/fake-app";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { callRoute } from "../calls/call-route";
import { recordReads } from "./queries";
import { readState } from "./read-state";
import { flushStateReads } from "./record-state-reads";

const platform = await testPlatform();

// Guarantee: no read is lost because several gateways note reads of the same attempts at once.
test("batches that share attempts, in any order, do not deadlock, and add up", async () => {
  const member = await givenMember(platform);
  const { version } = await givenListing(platform, member);
  const { tenant } = await givenTenant(platform, member);
  const { installation } = await givenInstallation(platform, member, version, tenant.id);
  const now = performance.now();
  const read = { installationId: installation.id, count: 1, firstMs: now, lastMs: now, revision: 1 };
  const reads = Array.from({ length: 40 }, () => ({ ...read, attemptId: v7() }));
  const rounds = 30;
  for (let round = 0; round < rounds; round += 1)
    await Promise.all([recordReads(platform.pool, reads), recordReads(platform.pool, reads.toReversed())]);
  const noted = await platform.db.select({ count: attemptStateReads.count }).from(attemptStateReads);
  expect(noted).toHaveLength(reads.length);
  expect(new Set(noted.map(({ count }) => count))).toEqual(new Set([2 * rounds]));
}, 60_000);

// Guarantee: a read is timed on the clock of its call. One within a call is never recorded after the call's end.
test("a read within a call lies within it, however slowly the call and the read are recorded", async () => {
  const member = await givenMember(platform);
  const { version } = await givenListing(platform, member);
  const { tenant } = await givenTenant(platform, member);
  const { routes } = await givenInstallation(platform, member, version, tenant.id);
  const { id: routeId } = one(routes.filter(({ kind }) => kind === "autofill"));
  await givenInstance(platform, version.id, async (response, { headers }) => {
    await readState(platform, String(headers["x-platform-key"]));
    await sleep(30);
    response.end("{}");
  });
  const { attemptId } = await callRoute(
    platform,
    routeId,
    { operation: "newBusiness.create" },
    { record: () => sleep(400) },
  );
  await sleep(50);
  await flushStateReads(platform);
  const found = await platform.db
    .select({
      endedAt: attempts.endedAt,
      durationMs: attempts.durationMs,
      readAt: attemptStateReads.firstReadAt,
    })
    .from(attempts)
    .innerJoin(attemptStateReads, eq(attemptStateReads.attemptId, attempts.id))
    .where(eq(attempts.id, attemptId));
  const { endedAt, readAt, durationMs } = one(found);
  const beforeEnd = Number(endedAt) - Number(readAt);
  expect(beforeEnd).toBeGreaterThanOrEqual(25);
  expect(beforeEnd).toBeLessThanOrEqual((durationMs ?? 0) + 5);
});
