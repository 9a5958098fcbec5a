/** Each container keeps the address of the state API that it was started with. */
import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { versions } from "@/drizzle/schema/catalog";
import { notifications, workers } from "@/drizzle/schema/platform";
import { instances } from "@/drizzle/schema/runtime";
import { givenApp, type Respond } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { givenInstalledApp, testPlatform } from "@/tests/test-platform";
import { restoreInstances } from "../installations/work/restore-instances";
import { createPresence } from "../platform/presence";
import { checkInstances } from "./check-instances";
import { countUncalledFailures } from "./scale-queries";

const platform = await testPlatform();
const healthy: Respond = (response) => void response.end("ok");
const launchedAt = (stateApi: string) => ({
  ...platform,
  environment: { ...platform.environment, PLATFORM_STATE_API_CONTAINER: stateApi },
});
const [here, there] = [launchedAt("http://172.17.0.1:4001"), launchedAt("http://172.17.0.1:4002")];

beforeEach(async () => {
  await platform.db.delete(workers);
  await givenInstalledApp(platform);
  await platform.db.update(versions).set({ bundleKind: "example-folder" });
});

const rows = async () =>
  (await platform.db.select().from(instances).orderBy(asc(instances.id))).map(
    ({ state, stateApi, reasonCode, reason }) => ({ state, stateApi, reasonCode, reason }),
  );

async function register(from: typeof platform) {
  const connection = await platform.pool.connect();
  const presence = createPresence(from);
  await presence.keep(connection);
  return { presence, end: () => connection.release(true) };
}

// Guarantee: an app is not blamed for a state API that moved, and no call is lost while the platform replaces the instance.
test("an instance whose state API nobody serves anymore is replaced, and the reason names the platform", async () => {
  const { runtimes, orders } = fakeRuntimes(healthy, "docker");
  await restoreInstances(there, runtimes);
  await restoreInstances(here, runtimes);
  expect(await rows()).toEqual([
    {
      state: "DRAINING",
      stateApi: "http://172.17.0.1:4002",
      reasonCode: "STATE_API_MOVED",
      reason: "The state API's address changed.",
    },
    { state: "READY", stateApi: "http://172.17.0.1:4001", reasonCode: null, reason: null },
  ]);
  expect(orders.map(({ environment }) => environment.PLATFORM_STATE_API)).toEqual([
    "http://172.17.0.1:4002",
    "http://172.17.0.1:4001",
  ]);
  await restoreInstances(here, runtimes);
  expect(await rows()).toHaveLength(2);
});

// Guarantee: two launches on one database leave each other's instances alone, until one is gone.
test("the address of another running worker counts, until the worker is gone or has another address", async () => {
  const { runtimes } = fakeRuntimes(healthy, "docker");
  const other = await register(there);
  await restoreInstances(there, runtimes);
  await restoreInstances(here, runtimes);
  expect(await rows()).toHaveLength(1);
  there.environment.PLATFORM_STATE_API_CONTAINER = "http://172.17.0.1:4003";
  await other.presence.announce();
  await restoreInstances(here, runtimes);
  expect(await rows()).toHaveLength(2);
  other.end();
});

// Guarantee: an upgrade of the platform restarts no app.
test("an instance of an earlier release, whose address is not known, is left alone", async () => {
  const { runtimes } = fakeRuntimes(healthy, "docker");
  await restoreInstances(there, runtimes);
  await platform.db.update(instances).set({ stateApi: null }).where(eq(instances.state, "READY"));
  await restoreInstances(here, runtimes);
  expect(await rows()).toHaveLength(1);
});

async function blamed() {
  const [ended] = await platform.db.select().from(instances).where(eq(instances.state, "FAILED"));
  const found =
    ended ?? (await platform.db.select().from(instances).where(eq(instances.state, "STOPPED")))[0];
  if (found === undefined) throw new Error("nothing ended");
  return {
    code: found.reasonCode,
    reason: found.reason,
    exitCode: found.exitCode,
    crashes: await countUncalledFailures(platform.db, found.versionId),
    told: await platform.db.$count(notifications),
  };
}

const AWAY = "The platform's state API was not available at the address that the app was started with.";
const EXCUSED = { code: "STATE_API_MOVED", crashes: 0, told: 0 };
const EXITED = { code: "EXITED", reason: "The app exited with code 1.", exitCode: 1, crashes: 1 };

// Guarantee: an app that exits because it can't read its state is not blamed, not parked, and its publisher gets no notification.
test("an app that exits when the launch that serves its state API has just died is not at fault", async () => {
  const fake = fakeRuntimes(healthy, "docker");
  const other = await register(there);
  await restoreInstances(there, fake.runtimes);
  const own = await register(here);
  other.end();
  // PostgreSQL notices that the connection is gone. Its row stays until another worker has looked twice.
  await expect.poll(() => lockedWorkers(), { timeout: 10_000 }).toBe(1);
  fake.crash();
  await checkInstances(here, fake.runtimes, 0);
  expect(await blamed()).toEqual({
    ...EXCUSED,
    reason: `The app exited with code 1. ${AWAY}`,
    exitCode: 1,
  });
  own.end();
});

async function lockedWorkers(): Promise<number> {
  const { rows } = await platform.pool.query(
    "select from pg_locks where locktype = 'advisory' and classid = 7201 and database = (select oid from pg_database where datname = current_database())",
  );
  return rows.length;
}

test("while that launch lives, the app is at fault", async () => {
  const fake = fakeRuntimes(healthy, "docker");
  const other = await register(there);
  await restoreInstances(there, fake.runtimes);
  fake.crash();
  await checkInstances(here, fake.runtimes, 0);
  expect(await blamed()).toEqual({ ...EXITED, told: expect.any(Number) });
  other.end();
});

test("an app that exits or isn't healthy while the gateway is down or hangs is not at fault", async () => {
  const gateway = await givenApp((response) => void response.end("{}"));
  const own = launchedAt(gateway.origin);
  const fake = fakeRuntimes(healthy, "docker");
  await restoreInstances(own, fake.runtimes);
  await checkInstances(own, fake.runtimes, 0);
  await expect.poll(() => gateway.received.length).toBeGreaterThan(0);
  await sleep(50);
  gateway.server.close();
  gateway.server.closeAllConnections();
  fake.crash();
  await checkInstances(own, fake.runtimes, 0);
  expect(await blamed()).toEqual({ ...EXCUSED, reason: `The app exited with code 1. ${AWAY}`, exitCode: 1 });
});

test("an address that never answered this worker says nothing", async () => {
  const fake = fakeRuntimes(healthy, "docker");
  const own = launchedAt("http://127.0.0.1:9");
  await restoreInstances(own, fake.runtimes);
  await checkInstances(own, fake.runtimes, 0);
  fake.crash();
  await checkInstances(own, fake.runtimes, 0);
  expect(await blamed()).toEqual({ ...EXITED, told: expect.any(Number) });
});
