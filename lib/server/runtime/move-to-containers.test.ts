import { setTimeout as sleep } from "node:timers/promises";
import { asc, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { versions } from "@/drizzle/schema/catalog";
import { instances } from "@/drizzle/schema/runtime";
import type { EgressWay } from "@/lib/contract/runtime/egress";
import type { Respond } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { givenInstalledApp, one, testPlatform } from "@/tests/test-platform";
import { callRoute } from "../calls/call-route";
import { readInstallation } from "../installations/read-installation";
import { readLaunch } from "../installations/read-launch";
import { createMover, drainInstances } from "./drain-instances";
import type { Runtimes } from "./engines/choose-runtime";
import type { Runtime } from "./engines/runtime";
import { ensureInstance } from "./ensure-instance";
import { end, request } from "./isolation-queries";

const platform = await testPlatform();
platform.environment.PLATFORM_EXAMPLES_IN_CONTAINERS = true;

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

const from =
  (name: string, ms = 0): Respond =>
  async (response, { url }) => {
    if (url !== "/health") await sleep(ms);
    response.end(JSON.stringify({ from: name }));
  };

/** An example app that runs as a process, and an engine that responds. */
async function givenWorld() {
  const { version, route, customer, installation } = await givenInstalledApp(platform);
  await platform.db.update(versions).set({ bundleKind: "example-folder" });
  const processes = fakeRuntimes(from("process"));
  const engine = fakeRuntimes(from("container"), "docker");
  const both = [...processes.runtimes.all, ...engine.runtimes.all];
  const runtimes: Runtimes = {
    all: both,
    byName: (name) => both.find((runtime) => runtime.name === name),
    forBundle: async (_kind, isolated) => one(isolated ? engine.runtimes.all : processes.runtimes.all),
    findIsolating: async () => one(engine.runtimes.all),
    describe: async () => [],
  };
  await ensureInstance(platform, runtimes, version.id);
  const routeId = route("autofill").id;
  const call = async () => {
    const { answer, failure } = await callRoute(platform, routeId, { operation: "newBusiness.create" });
    return failure ?? answer;
  };
  return { version, customer, installation, processes, engine, runtimes, call };
}

// Guarantee: after an upgrade of the platform, apps that ran before don't keep an open network.
test("a container from before the egress guard is replaced by one behind it, once", async () => {
  const { version, engine, runtimes } = world;
  await createMover(platform, runtimes)();
  const [container = ""] = engine.handles();
  const guarded: Runtime = {
    ...one(engine.runtimes.all),
    refreshEgress: async () => undefined,
    listOnOtherWay: async () => [container, "of another platform"],
  };
  const guarding: Runtimes = {
    ...runtimes,
    all: [guarded],
    findIsolating: async () => guarded,
  };
  await createMover(platform, guarding)();
  const of = async (state: "READY" | "DRAINING") =>
    (await rows()).filter((each) => each.state === state && each.runtime === "docker");
  expect(await of("DRAINING")).toMatchObject([
    {
      handle: container,
      versionId: version.id,
      reasonCode: "MOVED",
      reason: "It moved behind the egress guard.",
    },
  ]);
  expect(await of("READY")).toHaveLength(1);
  await createMover(platform, guarding)();
  expect(await of("READY")).toHaveLength(1);
  expect(engine.orders).toHaveLength(2);
});

// Guarantee: an app whose way out is gone, because the guard was turned off, gets another.
test("a container behind a guard that was turned off is replaced", async () => {
  const { engine, runtimes } = world;
  await createMover(platform, runtimes)();
  const [container = ""] = engine.handles();
  const open: Runtime = { ...one(engine.runtimes.all), listOnOtherWay: async () => [container] };
  await createMover(platform, { ...runtimes, all: [open], findIsolating: async () => open })();
  expect((await rows()).filter(({ handle }) => handle === container)).toMatchObject([
    {
      state: "DRAINING",
      reasonCode: "MOVED",
      reason: "It moved away from the egress guard, which was turned off.",
    },
  ]);
});

const rows = () => platform.db.select().from(instances).orderBy(asc(instances.id));

// Guarantee: when an engine appears, example apps move to containers, and no call is lost.
test("calls before, during and after the move all succeed, and the process ends after its last one", async () => {
  const { processes, engine, runtimes, call } = world;
  processes.app().respond = from("process", 200);
  const answers: (string | null)[] = [];
  let going = true;
  const lane = async () => {
    while (going) answers.push(await call());
  };
  const lanes = [lane(), lane()];
  await expect.poll(() => answers).toContain('{"from":"process"}');
  await createMover(platform, runtimes)();
  await expect.poll(() => answers).toContain('{"from":"container"}');
  going = false;
  await Promise.all(lanes);
  await expect
    .poll(async () => {
      await drainInstances(platform, runtimes, 1);
      return processes.handles();
    })
    .toEqual([]);
  expect(new Set(answers)).toEqual(new Set(['{"from":"process"}', '{"from":"container"}']));
  expect((await rows()).map(({ runtime, state }) => [runtime, state])).toEqual([
    ["process", "STOPPED"],
    ["docker", "READY"],
  ]);
  expect([processes.handles(), engine.handles()]).toMatchObject([[], [expect.any(String)]]);
});

// Guarantee: where an engine responds, nobody is warned that an app isn't isolated while it moves to its container.
test("pages say what will be true, and nothing before that is known", async () => {
  const { runtimes, customer, installation } = world;
  const app = { organization: "acme", app: "vin-lookup" };
  const read = async () => {
    const { isolated } = await readLaunch(platform, customer, app, { test: false });
    const { instance } = await readInstallation(platform, customer, installation.id);
    return { isolated, runtime: instance?.runtime, moving: instance?.moving };
  };
  expect(await read()).toEqual({ isolated: undefined, runtime: "process", moving: null });
  const learn = async (egress: EgressWay) => {
    await request(platform.db);
    await end(platform.db, { durationMs: 1, problem: null, places: [], egress });
  };
  await learn({ way: "none", why: "No engine." });
  expect(await read()).toMatchObject({ isolated: false, moving: false });
  await learn({ way: "guard" });
  expect(await read()).toMatchObject({ isolated: true, moving: true });
  await platform.db.update(instances).set({ readyAt: sql`now() - interval '2 minutes'` });
  expect(await read()).toMatchObject({ isolated: false, moving: false });
  await createMover(platform, runtimes)();
  expect(await read()).toEqual({ isolated: true, runtime: "docker", moving: false });
});

test("a version that has run in a container never runs as a process again", async () => {
  const { engine, processes, runtimes, version } = world;
  await createMover(platform, runtimes)();
  await platform.db.update(instances).set({ state: "FAILED", endedAt: new Date() });
  await ensureInstance(platform, runtimes, version.id);
  expect([processes.orders.length, engine.orders.length]).toEqual([1, 2]);
});

test("if the container does not become ready, the process keeps serving, and the move is not repeated immediately", async () => {
  const { engine, runtimes, call } = world;
  engine.respond = (response) => {
    response.writeHead(500).end();
    engine.crash();
  };
  const move = createMover(platform, runtimes);
  await move();
  await move();
  expect(engine.orders).toHaveLength(1);
  expect(engine.handles()).toEqual([]);
  expect(await call()).toBe('{"from":"process"}');
});

test("nothing moves without an engine, or where containers cannot reach what the apps need", async () => {
  const { engine, runtimes } = world;
  await createMover(platform, { ...runtimes, findIsolating: async () => undefined })();
  platform.environment.PLATFORM_EXAMPLES_IN_CONTAINERS = false;
  await createMover(platform, runtimes)();
  platform.environment.PLATFORM_EXAMPLES_IN_CONTAINERS = true;
  expect(engine.orders).toEqual([]);
});
