import { afterEach, expect, onTestFinished, test } from "vitest";
import { callRoute } from "@/lib/server/calls/call-route";
import { testPlatform } from "@/tests/test-platform";
import { answering, CREATE, givenUpgradeWorld } from "@/tests/upgrade-world";
import { runWorker, type Worker } from "./run-worker";

const platform = await testPlatform();

let worker: Worker | undefined;
afterEach(async () => {
  await worker?.end();
  worker = undefined;
});

// Guarantee: a worker completes an upgrade and a rollback by itself, and no call from the core fails.
test("an upgrade and a rollback complete while calls arrive", async () => {
  const world = await givenUpgradeWorld(platform);
  const id = await world.launch();
  const routeId = (await world.routes(id)).find(({ path }) => path === "/autofill")?.id ?? "";
  worker = runWorker(platform, world.fake.runtimes);
  const seen = new Set<string | null>();
  let going = true;
  const lane = async () => {
    while (going) {
      const { answer, failure } = await callRoute(platform, routeId, CREATE);
      seen.add(failure ?? answer);
    }
  };
  const lanes = [lane(), lane()];
  onTestFinished(async () => {
    going = false;
    await Promise.allSettled(lanes);
  });
  const ended = async (state: string) => {
    await expect.poll(() => world.upgrade(id)).toMatchObject({ state });
  };
  // The worker stops what an ended upgrade left running.
  const runs = (versionId: string) => expect.poll(world.running).toEqual([versionId]);

  world.fake.respond = answering("second");
  await world.begin(id);
  await ended("DRAINING");
  await world.hurry();
  await ended("DONE");
  await runs(world.second.id);

  world.fake.respond = answering("first again");
  await world.begin(id, { versionId: world.first.id, settings: {} });
  await ended("DRAINING");
  await world.hurry();
  await ended("DONE");
  await runs(world.first.id);
  going = false;
  await Promise.all(lanes);
  const names = ["first", "second", "first again"];
  expect(seen).toEqual(new Set(names.map((from) => JSON.stringify({ from }))));
});
