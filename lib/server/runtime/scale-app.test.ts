import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { audit } from "@/drizzle/schema/platform";
import { fakeRuntimes } from "@/tests/fake-runtime";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  testPlatform,
} from "@/tests/test-platform";
import { restoreInstances } from "../installations/work/restore-instances";
import { drainInstances } from "./drain-instances";
import { readInstances, restartApp, scaleApp } from "./scale-app";

const platform = await testPlatform({ PLATFORM_APP_REPLICAS: "3" });

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const publisher = await givenMember(platform, "acme");
  const stranger = await givenMember(platform, "globex");
  const { listing, version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const { tenant } = await givenTenant(platform, publisher);
  await givenInstallation(platform, publisher, version, tenant.id);
  return { publisher, stranger, listing, fake: fakeRuntimes((response) => void response.end("ok")) };
}

async function supervise() {
  await restoreInstances(platform, world.fake.runtimes);
  await drainInstances(platform, world.fake.runtimes, 0);
  const { instances } = await readInstances(platform, world.listing.id);
  return instances.map(({ replica, state, outdated }) => `${replica} ${state}${outdated ? " outdated" : ""}`);
}

// Guarantee: what a publisher sets is what runs.
test("a publisher scales an app, sees each instance, and leaves a record", async () => {
  const { publisher, listing } = world;
  expect(await supervise()).toEqual(["0 READY"]);
  await scaleApp(platform, publisher, listing.id, { replicas: 3 });
  expect(await supervise()).toEqual(["0 READY", "1 READY", "2 READY"]);
  await scaleApp(platform, publisher, listing.id, { replicas: 2 });
  expect(await supervise()).toEqual(["0 READY", "1 READY", "2 DRAINING"]);
  expect(await readInstances(platform, listing.id)).toMatchObject({ replicas: 2, most: 3 });
  const records = await platform.db.select().from(audit).where(eq(audit.action, "listing.scale"));
  expect(records.map(({ details }) => details)).toEqual([
    { from: 1, to: 3 },
    { from: 3, to: 2 },
  ]);
});

test("a restart marks what runs as outdated, and replaces it", async () => {
  const { publisher, listing } = world;
  await supervise();
  await restartApp(platform, publisher, listing.id);
  const { instances } = await readInstances(platform, listing.id);
  expect(instances).toMatchObject([{ outdated: true, state: "READY" }]);
  expect(await supervise()).toEqual(["0 DRAINING outdated", "1 READY"]);
});

test("more than the operator allows is refused, and the limit holds for what was set before", async () => {
  const { publisher, listing } = world;
  await expect(scaleApp(platform, publisher, listing.id, { replicas: 4 })).rejects.toMatchObject({
    code: "BAD_INPUT",
    detail: expect.stringContaining("at most 3"),
  });
  await scaleApp(platform, publisher, listing.id, { replicas: 3 });
  platform.environment.PLATFORM_APP_REPLICAS = 1;
  expect(await supervise()).toEqual(["0 READY"]);
  platform.environment.PLATFORM_APP_REPLICAS = 3;
});

// Guarantee: foreign apps look absent.
test("nobody scales or restarts the app of another organization", async () => {
  const { stranger, listing } = world;
  for (const id of [listing.id, "none"]) {
    await expect(scaleApp(platform, stranger, id, { replicas: 2 })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(restartApp(platform, stranger, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});
