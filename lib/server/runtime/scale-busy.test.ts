import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { callLoads, instances, scalings } from "@/drizzle/schema/runtime";
import { fakeRuntimes } from "@/tests/fake-runtime";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  testPlatform,
} from "@/tests/test-platform";
import { countRequest, takeLoads } from "../calls/choose-replica";
import { restoreInstances } from "../installations/work/restore-instances";
import { drainInstances } from "./drain-instances";
import { readInstances, scaleApp } from "./scale-app";
import { loadReport, scaleBusy } from "./scale-busy";

const platform = await testPlatform({ PLATFORM_APP_REPLICAS: "4" });
const EACH = platform.environment.PLATFORM_APP_BUSY_CALLS;

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  takeLoads();
  world = await givenWorld();
});

async function givenWorld() {
  const publisher = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const { tenant } = await givenTenant(platform, publisher);
  await givenInstallation(platform, publisher, version, tenant.id);
  return {
    publisher,
    listing,
    versionId: version.id,
    fake: fakeRuntimes((response) => void response.end("ok")),
  };
}

/** A round of a worker. @returns the states of the replicas */
async function supervise() {
  await scaleBusy(platform);
  await restoreInstances(platform, world.fake.runtimes);
  await drainInstances(platform, world.fake.runtimes, 0);
  const { instances: running } = await readInstances(platform, world.listing.id);
  return running.map(({ replica, state }) => `${replica} ${state}`);
}

const report = (calls: number, processId: string = randomUUID()) =>
  platform.db.insert(callLoads).values({ processId, versionId: world.versionId, calls });

// Guarantee: calls of all processes count, and nothing runs that the publisher or the operator doesn't allow.
test("a busy version gets replicas within its bounds, and loses them when it was calm", async () => {
  const { publisher, listing, versionId } = world;
  expect(await supervise()).toEqual(["0 READY"]);
  await report(3 * EACH);
  // Nothing is added where the publisher didn't allow it.
  expect(await supervise()).toEqual(["0 READY"]);
  await scaleApp(platform, publisher, listing.id, { replicas: 1, mostReplicas: 3 });
  expect(await supervise()).toEqual(["0 READY", "1 READY"]);
  await report(10 * EACH);
  expect(await supervise()).toEqual(["0 READY", "1 READY", "2 READY"]);
  expect(await supervise()).toHaveLength(3);
  expect(await readInstances(platform, listing.id)).toMatchObject({
    replicas: 1,
    mostReplicas: 3,
    calls: 13 * EACH,
  });

  // The processes report no more.
  await platform.db.update(callLoads).set({ at: sql`now() - interval '1 minute'` });
  expect(await supervise()).toHaveLength(3);
  await platform.db.update(scalings).set({ enoughSince: sql`now() - interval '5 minutes'` });
  expect(await supervise()).toEqual(["0 READY", "1 READY", "2 DRAINING"]);
  await scaleApp(platform, publisher, listing.id, { replicas: 1 });
  expect((await supervise()).filter((state) => state.endsWith("READY"))).toEqual(["0 READY"]);
  expect(await platform.db.$count(scalings, eq(scalings.versionId, versionId))).toBe(1);
});

test("a process reports the calls that it had in progress on average", async () => {
  const { publisher, listing, versionId } = world;
  await scaleApp(platform, publisher, listing.id, { replicas: 1, mostReplicas: 3 });
  await supervise();
  const [instance] = await platform.db.select().from(instances).where(eq(instances.versionId, versionId));
  const replica = { id: instance?.id ?? "", origin: instance?.origin ?? "" };
  takeLoads();
  const ends = Array.from({ length: 4 }, () => countRequest(replica));
  const { run } = loadReport(platform);
  await sleep(100);
  await run();
  const own = eq(callLoads.versionId, versionId);
  const [row] = await platform.db.select().from(callLoads).where(own);
  expect(row?.calls).toBeGreaterThan(2);
  expect(row?.calls).toBeLessThanOrEqual(4);
  for (const end of ends) end();
  await run();
  await run();
  // The row of the last report grows old, and means nothing then.
  expect(await platform.db.$count(callLoads, own)).toBe(1);
});

test("the upper number is above the lower one, and within the operator's limit", async () => {
  const { publisher, listing } = world;
  await expect(
    scaleApp(platform, publisher, listing.id, { replicas: 1, mostReplicas: 5 }),
  ).rejects.toMatchObject({ code: "BAD_INPUT", issues: [{ pointer: "/mostReplicas" }] });
});
