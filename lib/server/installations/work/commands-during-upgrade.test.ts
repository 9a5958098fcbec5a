import { beforeEach, describe, expect, test } from "vitest";
import { installations, upgrades } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import { testPlatform } from "@/tests/test-platform";
import { givenUpgradeWorld } from "@/tests/upgrade-world";
import { advanceInstallations } from "@/tests/work";
import { stopInstallation, uninstallInstallation } from "../command-installation";
import { retryUpgrade } from "../upgrade-installation";
import { restoreInstances } from "./restore-instances";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenUpgradeWorld>>;
beforeEach(async () => {
  world = await givenUpgradeWorld(platform);
});

// Guarantee: commands during an upgrade win; it never restarts a stopped or uninstalled app.
describe("during an upgrade", () => {
  const during = async (id: string, act: () => Promise<void>) => {
    world.fake.respond = async (response, { url }) => {
      if (url.startsWith("/_app/start")) await act();
      response.end("{}");
    };
    await world.begin(id);
    await world.step();
  };

  test("stopped: the upgrade fails, the new instance ends, and the old version starts again", async () => {
    const id = await world.launch();
    await during(id, async () => {
      await stopInstallation(platform, world.customer, id);
      expect(await world.upgrade(id)).toMatchObject({
        state: "FAILED",
        reason: expect.stringMatching(/stopped/),
      });
    });
    await advanceInstallations(platform, world.fake.runtimes);
    expect(await world.installation(id)).toMatchObject({
      state: "STOPPED",
      versionId: world.first.id,
      revision: 1,
      otherVersionId: null,
    });
    expect(await world.running()).toEqual([]);
    await retryUpgrade(platform, world.customer, id);
    expect(await world.installation(id)).toMatchObject({ state: "STOPPED", versionId: world.second.id });
  });

  test("stopped and retried immediately: the first try neither fails nor ends the second", async () => {
    const id = await world.launch();
    await during(id, async () => {
      if ((await platform.db.select().from(upgrades)).length > 1) return;
      await stopInstallation(platform, world.customer, id);
      await platform.db.update(installations).set({ state: "RUNNING" });
      await retryUpgrade(platform, world.customer, id);
    });
    expect(await world.upgrade(id)).toMatchObject({ state: "STARTING" });
    await world.step();
    expect(await world.upgrade(id)).toMatchObject({ state: "DRAINING" });
  });

  test("uninstalled: nothing needs an instance anymore", async () => {
    const id = await world.launch();
    await during(id, () => uninstallInstallation(platform, world.customer, id));
    await advanceInstallations(platform, world.fake.runtimes);
    expect(await world.upgrade(id)).toMatchObject({ state: "FAILED" });
    expect(await world.installation(id)).toMatchObject({ state: "UNINSTALLED", otherVersionId: null });
    expect(await world.running()).toEqual([]);
  });

  test("uninstalled after the switch: the old instance ends with the last call", async () => {
    const id = await world.launch();
    await world.begin(id);
    await world.step();
    await uninstallInstallation(platform, world.customer, id);
    await advanceInstallations(platform, world.fake.runtimes);
    expect(await world.running()).toEqual([world.first.id]);
    await world.hurry();
    await world.step();
    expect(await world.running()).toEqual([]);
  });

  test.each([
    ["its state", "update installations set state = 'LAUNCHING'"],
    ["its revision", "update installations set revision = 7"],
    ["its new instance", "update instances set state = 'STOPPED'"],
  ])("%s changes unseen: nothing moves", async (_what, statement) => {
    const id = await world.launch();
    await during(id, async () => void (await platform.pool.query(statement)));
    expect(await world.upgrade(id)).toMatchObject({ state: "FAILED" });
    expect(await world.installation(id)).toMatchObject({ versionId: world.first.id, otherVersionId: null });
  });

  test("the old version keeps crashing: its installation stays RUNNING, and the upgrade ends the crashes", async () => {
    const id = await world.launch();
    await world.begin(id);
    await platform.db.update(instances).set({ state: "FAILED", endedAt: new Date(), reason: "It crashed." });
    const failed = {
      versionId: world.first.id,
      runtime: "process",
      state: "FAILED" as const,
      endedAt: new Date(),
    };
    await platform.db.insert(instances).values(Array.from({ length: 6 }, () => failed));
    await restoreInstances(platform, world.fake.runtimes);
    expect(await world.installation(id)).toMatchObject({ state: "RUNNING", versionId: world.first.id });
    await world.step();
    expect(await world.installation(id)).toMatchObject({ state: "RUNNING", versionId: world.second.id });
  });
});
