/** With real processes: what customers and publishers get from several replicas of an app. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { asc, eq, inArray, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { listings, versions } from "@/drizzle/schema/catalog";
import { instances } from "@/drizzle/schema/runtime";
import { givenInstalledApp, testPlatform } from "@/tests/test-platform";
import { callRoute } from "../calls/call-route";
import { restoreInstances } from "../installations/work/restore-instances";
import { followChange } from "./check-instances";
import { drainInstances } from "./drain-instances";
import type { Runtimes } from "./engines/choose-runtime";
import { processRuntime } from "./engines/process";

/** Answers an autofill after `wait` milliseconds with its process id, and everything else with how many it is answering. */
const SCRIPT = `import { createServer } from "node:http";
  import { json } from "node:stream/consumers";
  let busy = 0;
  createServer(async (request, response) => {
    if (request.method !== "POST") return response.end(JSON.stringify({ busy }));
    busy += 1;
    const { wait = 0 } = await json(request);
    setTimeout(() => response.end(JSON.stringify({ data: { pid: String(process.pid) } })), wait);
    response.on("close", () => (busy -= 1));
  }).listen(Number(process.env.PLATFORM_PORT), "127.0.0.1");
  process.on("SIGTERM", () => process.exit(0));`;

const folder = await mkdtemp(path.join(tmpdir(), "platform-replicas-"));
const runtime = processRuntime({ dataDir: folder, examplesFolder: folder, production: false });
const runtimes: Runtimes = {
  all: [runtime],
  byName: () => runtime,
  forBundle: async () => runtime,
  findIsolating: async () => undefined,
  describe: async () => [],
};
afterAll(async () => {
  await runtime.close();
  await rm(folder, { recursive: true, force: true });
});

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  await runtime.close();
  world = await givenWorld();
});

async function givenWorld() {
  const { listing, version, installation, route } = await givenInstalledApp(platform);
  await mkdir(path.join(folder, listing.appName), { recursive: true });
  await writeFile(path.join(folder, listing.appName, "server.mjs"), SCRIPT);
  await platform.db.update(versions).set({ bundleKind: "example-folder" });
  const routeId = route("autofill").id;
  const scale = async (replicas: number) => {
    await platform.db.update(listings).set({ replicas }).where(eq(listings.id, listing.id));
    await restore();
  };
  const call = async (wait = 0): Promise<string> => {
    const payload = { operation: "newBusiness.create", wait };
    const { answer, failure } = await callRoute(platform, routeId, payload);
    return failure ?? answer ?? "";
  };
  return { listing, version, installation, scale, call };
}

const restore = () => restoreInstances(platform, runtimes);
const drain = () => drainInstances(platform, runtimes, 1);

const living = () =>
  platform.db
    .select()
    .from(instances)
    .where(inArray(instances.state, ["STARTING", "READY", "DRAINING"]))
    .orderBy(asc(instances.replica));

const states = async () => (await living()).map(({ replica, state }) => `${replica} ${state}`);

/** What each replica says about the calls that it is answering. */
const busy = async () =>
  Promise.all((await living()).map(async ({ origin }) => (await fetch(origin ?? "")).json()));

/** Until nothing drains anymore. */
async function untilDrained(): Promise<void> {
  await expect
    .poll(async () => {
      await drain();
      return (await states()).filter((state) => state.endsWith("DRAINING"));
    })
    .toEqual([]);
}

// Guarantee: each replica of an app does its share.
test("calls are spread evenly over three replicas, and each record names the instance that answered", async () => {
  const { scale, call } = world;
  await scale(3);
  expect(await states()).toEqual(["0 READY", "1 READY", "2 READY"]);
  const answers: string[] = [];
  for (let at = 0; at < 12; at += 1) answers.push(await call());
  const shares = [...new Set(answers)].map((pid) => answers.filter((answer) => answer === pid).length);
  expect(shares).toEqual([4, 4, 4]);
  await platform.services.recorder.flush();
  const recorded = await platform.db
    .select({ id: attempts.instanceId, calls: sql<number>`count(*)::int` })
    .from(attempts)
    .where(eq(attempts.installationId, world.installation.id))
    .groupBy(attempts.instanceId);
  const ids = (await living()).map(({ id }) => ({ id, calls: 4 }));
  expect(recorded).toHaveLength(3);
  expect(recorded).toEqual(expect.arrayContaining(ids));
});

// Guarantee: customers don't notice that a replica crashed.
test("after a replica was killed, no call fails, and another one takes its place", async () => {
  const { scale, call } = world;
  await scale(3);
  const [victim] = await living();
  const handle = victim?.handle ?? "";
  process.kill(Number(handle.split("-")[0]), "SIGKILL");
  await expect.poll(async () => (await runtime.inspect(handle)).running).toBe(false);
  // The database doesn't know it yet.
  const unknown = await Promise.all(Array.from({ length: 9 }, () => call()));
  await followChange(platform, runtimes, handle);
  const known = await Promise.all(Array.from({ length: 9 }, () => call()));
  for (const answer of [...unknown, ...known]) expect(answer).toContain('"pid"');
  expect(await states()).toEqual(["1 READY", "2 READY"]);
  await restore();
  expect(await states()).toEqual(["0 READY", "1 READY", "2 READY"]);
  expect((await living()).map(({ id }) => id)).not.toContain(victim?.id);
});

// Guarantee: fewer replicas cut off no call.
test("replicas that are too many get no more calls, and end after the ones in progress", async () => {
  const { scale, call } = world;
  await scale(3);
  const inProgress = Array.from({ length: 3 }, () => call(6_000));
  await expect.poll(busy).toEqual([{ busy: 1 }, { busy: 1 }, { busy: 1 }]);
  await scale(1);
  await drain();
  expect(await states()).toEqual(["0 READY", "1 DRAINING", "2 DRAINING"]);
  const later = await Promise.all(Array.from({ length: 6 }, () => call()));
  expect(new Set(later).size).toBe(1);
  const finished = await Promise.all(inProgress);
  expect(new Set(finished).size).toBe(3);
  for (const answer of finished) expect(answer).toContain('"pid"');
  await untilDrained();
  expect(await states()).toEqual(["0 READY"]);
  expect(await runtime.list()).toHaveLength(1);
});

// Guarantee: a publisher can restart an app at any time.
test("a restart replaces one instance after the other, and no call fails", async () => {
  const { scale, call, listing } = world;
  await scale(2);
  const before = (await living()).map(({ id }) => id);
  await platform.db
    .update(listings)
    .set({ restartRequestedAt: sql`now()` })
    .where(eq(listings.id, listing.id));
  const answers: string[] = [];
  let going = true;
  const lane = async () => {
    while (going) answers.push(await call(5));
  };
  const lanes = [lane(), lane(), lane()];
  await expect
    .poll(async () => {
      await restore();
      await drain();
      return (await living()).filter(({ id }) => before.includes(id)).length;
    })
    .toBe(0);
  going = false;
  await Promise.all(lanes);
  expect(answers.filter((answer) => !answer.includes('"pid"'))).toEqual([]);
  expect((await living()).map(({ state }) => state)).toEqual(["READY", "READY"]);
  expect(await runtime.list()).toHaveLength(2);
});

test("a replacement that does not become ready changes nothing for callers", async () => {
  const { scale, call, listing } = world;
  await scale(1);
  const [serving] = await living();
  await writeFile(path.join(folder, listing.appName, "server.mjs"), "process.exit(1);");
  await platform.db
    .update(listings)
    .set({ restartRequestedAt: sql`now()` })
    .where(eq(listings.id, listing.id));
  await restore();
  expect(await living()).toMatchObject([{ id: serving?.id, state: "READY" }]);
  expect(await call()).toContain('"pid"');
});
