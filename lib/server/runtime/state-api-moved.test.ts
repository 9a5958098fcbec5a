/** Each container keeps the address of the state API that it was started with. */
import { asc, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { versions } from "@/drizzle/schema/catalog";
import { workers } from "@/drizzle/schema/platform";
import { instances } from "@/drizzle/schema/runtime";
import type { Respond } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  testPlatform,
} from "@/tests/test-platform";
import { restoreInstances } from "../installations/work/restore-instances";
import { createPresence } from "../platform/presence";

const platform = await testPlatform();
const healthy: Respond = (response) => void response.end("ok");
const launchedAt = (stateApi: string) => ({
  ...platform,
  environment: { ...platform.environment, PLATFORM_STATE_API_CONTAINER: stateApi },
});
const [here, there] = [launchedAt("http://172.17.0.1:4001"), launchedAt("http://172.17.0.1:4002")];

beforeEach(async () => {
  await platform.db.delete(workers);
  const publisher = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  await platform.db.update(versions).set({ bundleKind: "example-folder" });
  const { tenant } = await givenTenant(platform, publisher);
  await givenInstallation(platform, publisher, version, tenant.id);
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
