import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { workers } from "@/drizzle/schema/platform";
import { newLease } from "@/tests/deliver";
import { givenInstalledApp, testPlatform } from "@/tests/test-platform";
import { claimOpen, insertUpgrade } from "../installations/upgrade-queries";
import { endLeasesOf, LEASED_TABLES } from "./lease-queries";
import { createPresence, endLeasesOfDeadWorkers, type Presence } from "./presence";

const platform = await testPlatform();
const GRACE_SECONDS = 0.3;

let end: (() => void)[] = [];

beforeEach(async () => {
  await platform.db.delete(workers);
  const { customer: member, version, installation } = await givenInstalledApp(platform);
  await insertUpgrade(platform.db, {
    installationId: installation.id,
    fromVersionId: version.id,
    toVersionId: version.id,
    fromRevision: 1,
    toRevision: 1,
    createdBy: member.userId,
  });
});
afterEach(() => {
  for (const close of end) close();
  end = [];
});

async function connect(presence: Presence): Promise<() => void> {
  const connection = await platform.pool.connect();
  await presence.keep(connection);
  const close = () => connection.release(true);
  end.push(close);
  return () => {
    end = end.filter((each) => each !== close);
    close();
  };
}

const claim = async (presence: Presence) =>
  claimOpen(platform.db, 10, { ...newLease(), workerId: presence.workerId() });
const look = (presence?: Presence) =>
  endLeasesOfDeadWorkers(platform, presence?.workerId() ?? null, GRACE_SECONDS);

// Guarantee: what a killed worker had claimed is free soon, and not only when its lease ends.
test("the leases of a worker whose connection ended end after the grace period", async () => {
  const [dying, living] = [createPresence(platform), createPresence(platform)];
  const die = await connect(dying);
  await connect(living);
  const claimed = await claim(dying);
  expect(claimed.length).toBeGreaterThan(0);
  die();
  await expect
    .poll(async () => {
      await look(living);
      return (await claim(living)).length;
    })
    .toBe(claimed.length);
  expect(await platform.db.select({ id: workers.id }).from(workers)).toEqual([{ id: living.workerId() }]);
});

// Guarantee: nothing is done twice because a worker lost its connection for a moment, or because its process was paused.
test("a worker that is connected, or is back within the grace period, keeps its leases and its id", async () => {
  const worker = createPresence(platform);
  const lose = await connect(worker);
  const id = worker.workerId();
  const { length } = await claim(worker);
  expect(length).toBeGreaterThan(0);
  for (let looks = 0; looks < 5; looks += 1) {
    await look();
    await sleep(100);
  }
  lose();
  await expect
    .poll(async () => {
      await look();
      return (await platform.db.select().from(workers))[0]?.missingSince;
    })
    .not.toBeNull();
  await connect(worker);
  await sleep(GRACE_SECONDS * 1000);
  await look();
  expect(worker.workerId()).toBe(id);
  expect(await claim(createPresence(platform))).toEqual([]);
});

// Guarantee: a log says that a worker died only if it did.
test("a worker that ends leaves its leases to others and no warning", async () => {
  const worker = createPresence(platform);
  const lose = await connect(worker);
  const { length } = await claim(worker);
  lose();
  await worker.leave();
  expect(await platform.db.select().from(workers)).toEqual([]);
  const living = createPresence(platform);
  await connect(living);
  expect((await claim(living)).length).toBe(length);
});

test("a worker that was declared dead gets a new id", async () => {
  const worker = createPresence(platform);
  const lose = await connect(worker);
  const id = worker.workerId();
  lose();
  await expect
    .poll(async () => {
      await look();
      return (await platform.db.select().from(workers)).length;
    })
    .toBe(0);
  await connect(worker);
  expect(worker.workerId()).not.toBe(id);
});

test.each(LEASED_TABLES)("leases of %s can be ended", async (name) => {
  await expect(endLeasesOf(platform.db, name, [1])).resolves.toBeUndefined();
});
