import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import pg from "pg";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/deliveries";
import { givenInstance } from "@/tests/fake-app";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { finishAttempt } from "../calls/queries";
import { callRoute } from "../calls/call-route";
import { recordReads } from "./queries";
import { readState } from "./read-state";
import { flushStateReads } from "./record-state-reads";

const platform = await testPlatform();

// Guarantee: no call fails because its app reads its state while other reads are recorded.
test("batches that share attempts, in any order, and the ends of their calls do not deadlock", async () => {
  const member = await givenMember(platform);
  const { version } = await givenListing(platform, member);
  const { tenant } = await givenTenant(platform, member);
  const { installation, routes } = await givenInstallation(platform, member, version, tenant.id);
  const { id: routeId, installationId } = one(routes.filter(({ kind }) => kind === "autofill"));
  const ids = Array.from({ length: 40 }, () => v7());
  const call = { installationId, routeId, kind: "autofill" as const, target: "POST /autofill" };
  await platform.db.insert(attempts).values(ids.map((id) => ({ ...call, id })));
  const reads = ids.map((attemptId) => ({
    attemptId,
    installationId: installation.id,
    count: 1,
    firstMs: performance.now(),
    revision: 1,
  }));
  // Like PostgreSQL in a large table: row by row, in the given order.
  const options = "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off";
  const pool = new pg.Pool({ connectionString: platform.environment.DATABASE_URL, options });
  const ended = {
    status: 200,
    answer: null,
    answerBytes: null,
    failure: null,
    fault: null,
    durationMs: 1,
    endedMs: 0,
  };
  const rounds = 30;
  for (let round = 0; round < rounds; round += 1)
    await Promise.all([
      recordReads(pool, reads),
      recordReads(pool, reads.toReversed()),
      ...ids.slice(0, 6).map((id) => finishAttempt(platform.db, id, ended)),
    ]);
  await pool.end();
  const noted = await platform.db.select({ count: attempts.stateReads }).from(attempts);
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
    {},
    { record: () => sleep(400) },
  );
  await sleep(50);
  await flushStateReads(platform);
  const found = await platform.db.select().from(attempts).where(eq(attempts.id, attemptId));
  const { endedAt, stateReadAt, durationMs } = one(found);
  const beforeEnd = Number(endedAt) - Number(stateReadAt);
  expect(beforeEnd).toBeGreaterThanOrEqual(25);
  expect(beforeEnd).toBeLessThanOrEqual((durationMs ?? 0) + 5);
});
