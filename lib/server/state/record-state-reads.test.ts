import pg from "pg";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/deliveries";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { finishAttempt } from "../calls/queries";
import { recordReads } from "./queries";

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
    firstAt: new Date(),
    revision: 1,
  }));
  // Like PostgreSQL in a large table: row by row, in the given order.
  const options = "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off";
  const pool = new pg.Pool({ connectionString: platform.environment.DATABASE_URL, options });
  const ended = { status: 200, answer: null, failure: null, durationMs: 1 };
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
