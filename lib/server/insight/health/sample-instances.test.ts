import { asc } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { usageHours, usageSamples } from "@/drizzle/schema/insight";
import { instances } from "@/drizzle/schema/runtime";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { givenListing, givenMember, one, testPlatform } from "@/tests/test-platform";
import { ensureInstance } from "../../runtime/ensure-instance";
import { sampleInstances } from "./sample-instances";

const platform = await testPlatform();
/** Longer than any machine takes for a test. */
const EVERY_SECONDS = 300;
const MEBIBYTE = 1024 * 1024;

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const { version } = await givenListing(platform, await givenMember(platform));
  const fake = fakeRuntimes((response) => void response.end("ok"));
  await ensureInstance(platform, fake.runtimes, version.id);
  return { version, fake };
}

/** As if all this had happened so many seconds earlier, within the same hour or not. */
async function passTime(seconds: number): Promise<void> {
  await platform.pool.query("update usage_samples set at = at - make_interval(secs => $1)", [seconds]);
  await platform.pool.query("update instances set sampled_at = sampled_at - make_interval(secs => $1)", [
    seconds,
  ]);
}

async function sample(cpuMs: number, memoryMib = 80): Promise<number> {
  world.fake.usage = () => ({
    cpuNs: cpuMs * 1e6,
    memoryBytes: memoryMib * MEBIBYTE,
    limits: { cpuMillis: 1_000, memoryBytes: 512 * MEBIBYTE },
  });
  return sampleInstances(platform, world.fake.runtimes, EVERY_SECONDS);
}

const samples = () => platform.db.select().from(usageSamples).orderBy(asc(usageSamples.at));
/** CPU of each sample in percent, to the nearest tenth; null where none can be told. */
const cpu = async () =>
  (await samples()).map(({ usedNs, elapsedMs }) =>
    usedNs === null || elapsedMs === null ? null : Math.round(usedNs / (elapsedMs * 1e6) / 0.001) / 10,
  );

// Guarantee: what is shown as CPU is what an instance used between two samples, never its counter.
test("CPU is what was used since the sample before", async () => {
  expect(await sample(5_000)).toBe(1);
  await passTime(EVERY_SECONDS);
  await sample(35_000, 120);
  await passTime(EVERY_SECONDS);
  await sample(35_000, 100);
  const used = await cpu();
  expect(used[0]).toBeNull();
  // The statements take a moment that the clock counts too.
  expect(used[1]).toBeGreaterThan(5);
  expect(used[1]).toBeLessThanOrEqual(10);
  expect(used[2]).toBe(0);
  const hours = await platform.db.select().from(usageHours);
  const add = (read: (row: (typeof hours)[number]) => number) =>
    hours.reduce((total, row) => total + read(row), 0);
  expect([add((row) => row.samples), add((row) => row.usedNs)]).toEqual([3, 30_000e6]);
  expect(add((row) => row.memoryBytes)).toBe(300 * MEBIBYTE);
  expect(Math.max(...hours.map((row) => row.peakMemoryBytes))).toBe(120 * MEBIBYTE);
});

// Guarantee: where only a rate is known, the same figures come from it, whichever worker measured before.
test("a rate adds up to what was used", async () => {
  const sampleRate = (cpuMillis: number) => {
    world.fake.usage = () => ({ cpuNs: null, cpuMillis, memoryBytes: 80 * MEBIBYTE, limits: null });
    return sampleInstances(platform, world.fake.runtimes, EVERY_SECONDS);
  };
  await sampleRate(900);
  await passTime(EVERY_SECONDS);
  await sampleRate(100);
  await passTime(EVERY_SECONDS);
  await sampleRate(0);
  expect(await cpu()).toEqual([null, 10, 0]);
  const totals = (await samples()).map(({ cpuNs }) => cpuNs);
  expect(totals[0]).toBe(0);
  expect(totals[1]).toBeGreaterThanOrEqual(30_000e6);
  expect(totals[2]).toBe(totals[1]);
});

// Guarantee: a restart shows neither as a negative nor as a huge number.
test("counting starts over after a reset, for a new instance, and after a gap", async () => {
  await sample(60_000);
  await passTime(EVERY_SECONDS);
  await sample(100);
  await passTime(EVERY_SECONDS);
  world.fake.crash();
  await platform.db.update(instances).set({ state: "FAILED", endedAt: new Date() });
  await ensureInstance(platform, world.fake.runtimes, world.version.id);
  await sample(90_000);
  await passTime(EVERY_SECONDS * 3 + 1);
  await sample(95_000);
  expect(await cpu()).toEqual([null, null, null, null]);
  expect(await platform.db.$count(usageHours)).toBeGreaterThan(0);
});

// Guarantee: several workers, or a round that begins early, measure an instance once in an interval.
test("an instance is measured once in each interval", async () => {
  const rounds = await Promise.all([sample(1), sample(1), sample(1)]);
  expect(rounds.toSorted()).toEqual([0, 0, 1]);
  await passTime(100);
  expect(await sample(2)).toBe(0);
  await passTime(180);
  expect(await sample(3)).toBe(1);
  expect(await samples()).toHaveLength(2);
});

test("replicas of a version count as two", async () => {
  const { version, fake } = world;
  const { handle } = one(await platform.db.select().from(instances));
  await platform.db
    .insert(instances)
    .values({ versionId: version.id, runtime: "process", handle, state: "READY", replica: 1 });
  await sample(1_000);
  await passTime(EVERY_SECONDS);
  expect(await sample(2_000)).toBe(2);
  expect(await samples()).toHaveLength(4);
  const hours = await platform.db.select().from(usageHours);
  expect(hours.reduce((total, row) => total + row.usedNs, 0)).toBe(2_000e6);
  fake.usage = () => undefined;
});

// Guarantee: an app that can't be measured keeps the others from nothing, and leaves a gap.
test("what ended or can't be measured has no sample", async () => {
  world.fake.usage = () => {
    throw new Error("no engine");
  };
  expect(await sampleInstances(platform, world.fake.runtimes, EVERY_SECONDS)).toBe(0);
  await passTime(EVERY_SECONDS);
  world.fake.usage = () => undefined;
  expect(await sampleInstances(platform, world.fake.runtimes, EVERY_SECONDS)).toBe(0);
  expect(await samples()).toEqual([]);
});
