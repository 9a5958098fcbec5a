import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { givenInstalledApp, one, testPlatform } from "@/tests/test-platform";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { InstanceFailure, type Runtime } from "./engines/runtime";
import { ensureInstance } from "./ensure-instance";
import { removeStrays, removeUnusedImages } from "./reconcile-instances";
import { lockStrays } from "./stray-queries";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const { version, installation } = await givenInstalledApp(platform);
  const fake = fakeRuntimes((response) => void response.end("ok"), "docker");
  const runtime: Runtime = one(fake.runtimes.all);
  const ready = await ensureInstance(platform, fake.runtimes, version.id);
  const start = (versionId: string) => runtime.start({ ...one(fake.orders.slice(0, 1)), versionId });
  return { version, installation, fake, runtime, ready, start };
}

const rows = () => platform.db.select().from(instances).orderBy(asc(instances.id));
const remove = () => removeStrays(platform, world.fake.runtimes);

describe("removeStrays", () => {
  // Guarantee: what a worker left that died between two steps goes while another one runs, not only when one starts.
  test("removes a container whose start was given up before its handle was stored", async () => {
    await world.start(world.version.id);
    await remove();
    expect(world.fake.handles()).toEqual([world.ready.handle]);
    await remove();
    expect(world.fake.handles()).toEqual([world.ready.handle]);
  });

  // Guarantee: an engine that hangs doesn't keep the lock until PostgreSQL takes it away.
  test("a stray whose end takes too long is left to end without the lock", async () => {
    await world.start(world.version.id);
    const hanging = {
      ...world.fake.runtimes,
      all: [{ ...one(world.fake.runtimes.all), stop: () => new Promise<never>(() => {}) }],
    };
    await removeStrays(platform, hanging, 50);
    expect(await platform.db.transaction((tx) => lockStrays(tx))).toBe(true);
    expect(world.fake.handles()).toHaveLength(2);
  });

  // Guarantee: nor does one that hangs before that, or at what it removes last.
  test.each(["list", "listNetworks", "removeNetwork"] as const)(
    "an engine that hangs at %s keeps no lock",
    async (which) => {
      const left = [{ handle: "n1", versionId: "gone" }];
      const runtime = {
        ...one(world.fake.runtimes.all),
        listNetworks: async () => left,
        removeNetwork: async () => undefined,
        [which]: () => new Promise<never>(() => {}),
      };
      await removeStrays(platform, { ...world.fake.runtimes, all: [runtime] }, 50);
      const images = { ...runtime, removeImages: () => new Promise<never>(() => {}) };
      await removeUnusedImages(platform, { ...world.fake.runtimes, all: [images] }, 50);
      expect(await platform.db.transaction((tx) => lockStrays(tx))).toBe(true);
    },
  );

  // Guarantee: an account without a right is told of, instead of leaving things behind for good.
  test("a list that is refused is logged, and an engine that is away is not", async () => {
    const warnings: object[] = [];
    const log = Object.assign(Object.create(platform.log), { warn: (facts: object) => warnings.push(facts) });
    const refuse = (code: ReasonCode) => ({
      ...one(world.fake.runtimes.all),
      list: () => Promise.reject(new InstanceFailure(code, "The worker's account may not list services.")),
    });
    for (const code of ["ENGINE_UNREACHABLE", "CLUSTER_FAILED"] as const)
      await removeStrays({ ...platform, log }, { ...world.fake.runtimes, all: [refuse(code)] });
    expect(warnings).toEqual([{ err: expect.objectContaining({ reasonCode: "CLUSTER_FAILED" }) }]);
  });

  test("spares the container of a start in progress, and removes it once the start was given up", async () => {
    await platform.db.update(instances).set({ state: "STOPPED", endedAt: sql`now() - interval '1 hour'` });
    await world.runtime.stop(world.ready.handle ?? "", 0);
    await platform.db.insert(instances).values({ versionId: world.version.id, runtime: "docker" });
    const { handle } = await world.start(world.version.id);
    await remove();
    expect(world.fake.handles()).toEqual([handle]);
    await platform.db.delete(instances).where(eq(instances.state, "STARTING"));
    await remove();
    expect(world.fake.handles()).toEqual([]);
  });

  test("spares what another worker is ending, and ends it if that worker died", async () => {
    await platform.db.update(instances).set({ state: "STOPPED", endedAt: sql`now()` });
    await remove();
    expect(world.fake.handles()).toEqual([world.ready.handle]);
    await platform.db.update(instances).set({ endedAt: sql`now() - interval '16 seconds'` });
    await remove();
    expect(world.fake.handles()).toEqual([]);
  });

  test("one worker at a time removes strays", async () => {
    await world.start("stray");
    await platform.db.transaction(async (tx) => {
      expect(await lockStrays(tx)).toBe(true);
      await remove();
      expect(world.fake.handles()).toHaveLength(2);
    });
    await remove();
    expect(world.fake.handles()).toHaveLength(1);
  });

  test("removes networks that a start left, and spares those of a start in progress", async () => {
    const removed: string[] = [];
    const left = [
      { handle: "n1", versionId: "gone" },
      { handle: "n2", versionId: world.version.id },
    ];
    world.runtime.listNetworks = async () => left;
    world.runtime.removeNetwork = async (handle) => void removed.push(handle);
    await platform.db.update(instances).set({ state: "STARTING", readyAt: null });
    await remove();
    expect(removed).toEqual(["n1"]);
    await platform.db.update(instances).set({ state: "READY", readyAt: new Date() });
    await remove();
    expect(removed).toEqual(["n1", "n1", "n2"]);
    expect(one(await rows())).toMatchObject({ state: "READY" });
  });
});

// Guarantee: an image is kept while it runs or must run, and for as long as the operator says after that.
test("unused images are those that no installation needs and no instance used lately", async () => {
  const wanted = async () => {
    let seen: ReadonlySet<string> = new Set();
    world.runtime.removeImages = async (digests) => {
      seen = digests;
      return 0;
    };
    await removeUnusedImages(platform, world.fake.runtimes);
    return seen.has(world.version.imageDigest);
  };
  expect(await wanted()).toBe(true);
  await platform.db.update(instances).set({ state: "STOPPED", endedAt: sql`now() - interval '25 hours'` });
  expect(await wanted()).toBe(true);
  await platform.db.update(installations).set({ state: "STOPPED" });
  expect(await wanted()).toBe(false);
  await platform.db.update(instances).set({ endedAt: sql`now() - interval '23 hours'` });
  expect(await wanted()).toBe(true);
  await platform.db.update(instances).set({ endedAt: sql`now() - interval '25 hours'` });
  await platform.db.update(installations).set({ otherVersionId: world.version.id });
  expect(await wanted()).toBe(true);
});
