import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { type Respond, UNREADABLE } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { givenInstalledApp, one, testPlatform } from "@/tests/test-platform";
import { restoreInstances } from "../installations/work/restore-instances";
import { openStateKey } from "../platform/state-key";
import { checkInstances, followChange } from "./check-instances";
import { drainInstances } from "./drain-instances";
import { InstanceFailure } from "./engines/runtime";
import { drainInstance } from "./instance-state-queries";
import { ensureInstance } from "./ensure-instance";
import { reconcileInstances, stopUnneeded } from "./reconcile-instances";

const platform = await testPlatform();
const healthy: Respond = (response) => void response.end("ok");
const answering =
  (status: number): Respond =>
  (response) =>
    void response.writeHead(status).end();

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const { version, installation } = await givenInstalledApp(platform);
  return { versionId: version.id, installation };
}

const rows = () => platform.db.select().from(instances).orderBy(asc(instances.id));
const theInstallation = async () => one(await platform.db.select().from(installations));
const check = (runtimes: Parameters<typeof checkInstances>[1]) => checkInstances(platform, runtimes, 0);

describe("ensureInstance", () => {
  // Guarantee: a version has one live instance, however often and by whomever it is requested.
  test("concurrent callers share one instance", async () => {
    const { runtimes, orders, app } = fakeRuntimes(healthy);
    const all = await Promise.all(
      Array.from({ length: 5 }, () => ensureInstance(platform, runtimes, world.versionId)),
    );
    expect(new Set(all.map((instance) => instance.id)).size).toBe(1);
    expect(orders).toHaveLength(1);
    expect(one(await rows())).toMatchObject({ state: "READY", origin: app().origin });
  });

  // Guarantee: every request to an app has the key header; a health check's key opens nothing.
  test("a health check carries a key that opens nothing", async () => {
    const { runtimes, app } = fakeRuntimes(healthy);
    await ensureInstance(platform, runtimes, world.versionId);
    const received = one(app().received);
    expect(received).toMatchObject({ method: "GET", url: "/health" });
    expect(openStateKey(platform.keyring, String(received.headers["x-platform-key"]))).toBeUndefined();
  });

  // Guarantee: the status says whether an app is healthy, and nothing about a body that nobody needs.
  test.each(UNREADABLE)(
    "an app whose health is 200 with $name is ready, and stays so",
    async ({ respond }) => {
      const { runtimes, app } = fakeRuntimes(respond);
      await ensureInstance(platform, runtimes, world.versionId);
      await check(runtimes);
      expect(one(await rows())).toMatchObject({ state: "READY", failedChecks: 0, reason: null });
      expect(app().received).toHaveLength(2);
    },
  );

  test.each<[string, Respond, ReasonCode, RegExp]>([
    ["204", answering(204), "HEALTH_NOT_200", /returned 204. It must return exactly 200/],
    ["a redirect", answering(301), "HEALTH_NOT_200", /returned 301, a redirect/],
    [
      "no answer",
      (response) => void response.destroy(),
      "PORT_NOT_BOUND",
      /no response\. It listens on port 3000, not on the port in PLATFORM_PORT/,
    ],
  ])(
    "an app whose health is %s fails with a reason and its log, and leaves nothing running",
    async (_name, respond, reasonCode, reason) => {
      const { runtimes, handles } = fakeRuntimes(respond);
      const refused = { code: "APP_FAILED", detail: expect.stringMatching(reason) };
      await expect(ensureInstance(platform, runtimes, world.versionId, 300)).rejects.toMatchObject(refused);
      expect(one(await rows())).toMatchObject({
        state: "FAILED",
        reasonCode,
        reason: expect.stringMatching(reason),
        logTail: "the log's end",
      });
      expect(handles()).toEqual([]);
    },
  );

  test("an app that doesn't answer may still be starting, where nobody can look what it listens on", async () => {
    const fake = fakeRuntimes(healthy);
    const [runtime] = fake.runtimes.all;
    if (runtime === undefined) throw new Error("no runtime");
    delete runtime.listening;
    const { start } = runtime;
    runtime.start = async (order) => {
      const started = await start(order);
      fake.app().server.close();
      return started;
    };
    await expect(ensureInstance(platform, fake.runtimes, world.versionId, 300)).rejects.toMatchObject({
      reasonCode: "PORT_NOT_BOUND",
      detail: expect.stringMatching(
        /may still be starting, or listen on another port or address: its process/,
      ),
    });
  });

  test("an app that exits immediately is reported immediately", async () => {
    const fake = fakeRuntimes(answering(500));
    const failing = ensureInstance(platform, fake.runtimes, world.versionId);
    await expect.poll(() => fake.handles()).toHaveLength(1);
    fake.crash();
    await expect(failing).rejects.toMatchObject({
      reasonCode: "EXITED",
      exitCode: 1,
      detail: "The app exited with code 1 before GET /health returned 200.",
    });
  });

  test("a start whose worker died is taken over", async () => {
    const { runtimes } = fakeRuntimes(healthy);
    const dead = { versionId: world.versionId, runtime: "process", checkedAt: new Date(Date.now() - 60_000) };
    await platform.db.insert(instances).values(dead);
    await restoreInstances(platform, runtimes);
    expect((await rows()).map((row) => row.state)).toEqual(["STOPPED", "READY"]);
  });
});

// Guarantee: what an engine says never keeps a start from ending, with its reason, and what failed is started again with pauses.
describe("a start whose failure is hostile", () => {
  const failingWith = (failure: () => Error) => {
    const fake = fakeRuntimes(healthy);
    const [runtime] = fake.runtimes.all;
    if (runtime === undefined) throw new Error("no runtime");
    const starts: number[] = [];
    runtime.start = async () => {
      starts.push(Date.now());
      throw failure();
    };
    return { ...fake, starts };
  };

  test("an error with a NUL is stored and shown", async () => {
    const { runtimes } = failingWith(
      () => new InstanceFailure("COMMAND_NOT_STARTED", "cannot chdir to /a\0b"),
    );
    await expect(ensureInstance(platform, runtimes, world.versionId)).rejects.toThrow("chdir");
    expect(one(await rows())).toMatchObject({
      state: "FAILED",
      reasonCode: "COMMAND_NOT_STARTED",
      reason: "cannot chdir to /a\uFFFDb.",
    });
  });

  test("an end that PostgreSQL refuses is stored without its details", async () => {
    vi.spyOn(platform.log, "error").mockImplementation(() => undefined);
    const { runtimes } = failingWith(() => new InstanceFailure("EXITED", "It exited.", 2 ** 40));
    await expect(ensureInstance(platform, runtimes, world.versionId)).rejects.toThrow("It exited.");
    expect(one(await rows())).toMatchObject({
      state: "FAILED",
      reasonCode: "EXITED",
      reason: "The reason could not be stored. The platform's log has the cause.",
    });
  });

  test("a log that can't be read keeps no instance from ending", async () => {
    vi.spyOn(platform.log, "warn").mockImplementation(() => undefined);
    const fake = fakeRuntimes(answering(500));
    vi.spyOn(platform.keyring.byId, "get").mockImplementation(() => {
      throw new Error("no key");
    });
    await ensureInstance(platform, fake.runtimes, world.versionId, 300).catch(() => undefined);
    vi.restoreAllMocks();
    expect(one(await rows())).toMatchObject({ state: "FAILED", reasonCode: "HEALTH_NOT_200" });
  });

  test("what the platform itself can't start is tried again with growing pauses", async () => {
    vi.spyOn(platform.log, "warn").mockImplementation(() => undefined);
    const { runtimes, starts } = failingWith(() => new Error("a bug"));
    const restore = () => restoreInstances(platform, runtimes).catch(() => undefined);
    for (let round = 1; round <= 12; round += 1) await restore();
    // Two at once; then it waits.
    expect(starts).toHaveLength(2);
    await platform.pool.query("update instances set ended_at = ended_at - interval '10 minutes'");
    for (let round = 1; round <= 12; round += 1) await restore();
    expect(starts).toHaveLength(3);
    expect((await rows()).map(({ state, reasonCode }) => [state, reasonCode])).toEqual(
      Array(3).fill(["STOPPED", "PLATFORM_FAILED"]),
    );
  });
});

test("callers that wait for a failing start get its reason, and it is tried once", async () => {
  const { runtimes, orders } = fakeRuntimes(answering(500));
  const all = await Promise.allSettled(
    [1, 2, 3].map(() => ensureInstance(platform, runtimes, world.versionId, 4_000)),
  );
  const reasons = all.map((result) => (result.status === "rejected" ? result.reason : undefined));
  expect(reasons).toEqual(Array(3).fill(expect.objectContaining({ code: "APP_FAILED" })));
  expect(orders).toHaveLength(1);
});

describe("checkInstances", () => {
  test("an instance survives two failed checks; after three in a row it is replaced", async () => {
    const fake = fakeRuntimes(healthy);
    await ensureInstance(platform, fake.runtimes, world.versionId);
    fake.app().respond = answering(500);
    await check(fake.runtimes);
    await check(fake.runtimes);
    expect(one(await rows())).toMatchObject({ state: "READY", failedChecks: 2 });
    await check(fake.runtimes);
    expect(one(await rows())).toMatchObject({
      state: "FAILED",
      reason: expect.stringContaining("3 health checks failed"),
    });
    await restoreInstances(platform, fake.runtimes);
    expect((await rows()).map((row) => row.state)).toEqual(["FAILED", "READY"]);
    expect(await theInstallation()).toMatchObject({ state: "RUNNING" });
  });

  // Guarantee: crashes slow down the restarts, and no installation ends in ERROR because of them.
  test("crashes back off, and the installation stays RUNNING", async () => {
    const fake = fakeRuntimes(healthy);
    await ensureInstance(platform, fake.runtimes, world.versionId);
    const hurry = (seconds: number) =>
      platform.pool.query(`update instances set ended_at = ended_at - interval '${seconds} seconds'`);
    for (let crash = 1; crash <= 9; crash += 1) {
      fake.crash();
      await check(fake.runtimes);
      await restoreInstances(platform, fake.runtimes);
      // The first restart is immediate, the later ones wait.
      if (crash > 1) expect(fake.handles(), `crash ${crash}`).toEqual([]);
      await hurry(300);
      await restoreInstances(platform, fake.runtimes);
      expect(fake.handles(), `crash ${crash}`).toHaveLength(1);
      expect(await theInstallation()).toMatchObject({ state: "RUNNING", reason: null });
    }
    expect(fake.orders).toHaveLength(10);
  });

  test("a version that crashes for weeks keeps its newest instances only", async () => {
    const ended = {
      versionId: world.versionId,
      runtime: "process",
      state: "FAILED" as const,
      endedAt: new Date(0),
    };
    await platform.db.insert(instances).values(Array.from({ length: 80 }, () => ended));
    const { runtimes } = fakeRuntimes(healthy);
    await restoreInstances(platform, runtimes);
    expect(await rows()).toHaveLength(51);
  });
});

describe("reconcileInstances", () => {
  // Guarantee: containers outlive a worker; the next one neither restarts nor loses them.
  test("adopts running instances, ends the others, removes strays, restores what is needed", async () => {
    const fake = fakeRuntimes(healthy);
    const first = await ensureInstance(platform, fake.runtimes, world.versionId);
    await fake.runtimes.all[0]?.start({ ...one(fake.orders), versionId: "stray" });
    await reconcileInstances(platform, fake.runtimes);
    expect(fake.handles()).toEqual([first.handle]);
    expect(one(await rows())).toMatchObject({ id: first.id, state: "READY" });

    fake.crash();
    await reconcileInstances(platform, fake.runtimes);
    expect(one(await rows())).toMatchObject({
      state: "FAILED",
      reasonCode: "EXITED",
      exitCode: 1,
      reason: "The app exited with code 1.",
      logTail: "the log's end",
    });
    await restoreInstances(platform, fake.runtimes);
    expect((await rows()).map((row) => row.state)).toEqual(["FAILED", "READY"]);
  });

  test("stops an instance that no installation needs", async () => {
    const fake = fakeRuntimes(healthy);
    await ensureInstance(platform, fake.runtimes, world.versionId);
    await stopUnneeded(platform, fake.runtimes);
    expect(fake.handles()).toHaveLength(1);
    await platform.db
      .update(installations)
      .set({ state: "STOPPED" })
      .where(eq(installations.id, world.installation.id));
    await stopUnneeded(platform, fake.runtimes);
    expect(fake.handles()).toEqual([]);
    expect(one(await rows())).toMatchObject({ state: "STOPPED", logTail: "the log's end" });
  });

  // Guarantee: a publisher learns that its app cuts off requests because it ignores SIGTERM.
  test("the log of an app that had to be killed says so", async () => {
    const fake = fakeRuntimes(healthy);
    await ensureInstance(platform, fake.runtimes, world.versionId);
    await platform.db.update(installations).set({ state: "STOPPED" });
    fake.stopped = "killed";
    await stopUnneeded(platform, fake.runtimes);
    const { logTail } = one(await rows());
    expect(logTail).toMatch(/^the log's end\n\[platform\] The app did not end within 10 s of SIGTERM/);
  });

  test.each(["drained", "unhealthy"] as const)("so does the log of one that was %s", async (why) => {
    const fake = fakeRuntimes(healthy);
    const { id } = await ensureInstance(platform, fake.runtimes, world.versionId);
    fake.stopped = "killed";
    if (why === "drained") {
      await platform.db.transaction((tx) =>
        drainInstance(tx, id, { code: "MOVED", reason: "It moved to a container." }),
      );
      await platform.db.update(instances).set({ checkedAt: sql`now() - interval '1 minute'` });
      await drainInstances(platform, fake.runtimes, 0);
    } else {
      fake.app().respond = (response) => void response.writeHead(500).end();
      for (let check = 0; check < 3; check += 1) await checkInstances(platform, fake.runtimes, 0);
    }
    const row = one((await rows()).filter((each) => each.id === id));
    expect(row.state).toBe(why === "drained" ? "STOPPED" : "FAILED");
    expect(row.logTail).toMatch(/^the log's end\n\[platform\] The app did not end within 10 s of SIGTERM/);
  });

  // Guarantee: how long stops take does not grow with their number.
  test("apps that ignore SIGTERM are stopped side by side", async () => {
    const fake = fakeRuntimes(healthy);
    const { runtime: name, origin } = await ensureInstance(platform, fake.runtimes, world.versionId);
    const ready = { state: "READY", readyAt: new Date() } as const;
    await platform.db
      .insert(instances)
      .values({ versionId: world.versionId, replica: 1, runtime: name, handle: "other", origin, ...ready });
    const runtime = fake.runtimes.byName();
    let waiting = 0;
    let release = () => {};
    const both = new Promise<void>((resolve) => (release = resolve));
    vi.spyOn(runtime, "stop").mockImplementation(async () => {
      waiting += 1;
      if (waiting === 2) release();
      await both;
      return "killed";
    });
    await platform.db.update(installations).set({ state: "STOPPED" });
    await stopUnneeded(platform, fake.runtimes);
    expect((await rows()).map(({ state }) => state)).toEqual(["STOPPED", "STOPPED"]);
  });
});

// Guarantee: no call goes to an address that a restarted container left, which may become another app's.
test("an instance that somebody restarted is followed to its new address, without a new start", async () => {
  const { runtimes, orders } = fakeRuntimes(healthy);
  const { id, handle } = await ensureInstance(platform, runtimes, world.versionId);
  const { origin } = one(await rows());
  const leave = () => platform.db.update(instances).set({ origin: "http://127.0.0.1:9" });
  for (const notice of [
    () => checkInstances(platform, runtimes, 0),
    () => followChange(platform, runtimes, handle ?? ""),
    () => reconcileInstances(platform, runtimes),
  ]) {
    await leave();
    await notice();
    expect(one(await rows())).toMatchObject({ id, state: "READY", origin });
  }
  expect(orders).toHaveLength(1);
});

test("one of several workers makes each check", async () => {
  const { runtimes, app } = fakeRuntimes(healthy);
  await ensureInstance(platform, runtimes, world.versionId);
  await platform.db.update(instances).set({ checkedAt: sql`now() - interval '1 minute'` });
  await Promise.all([1, 2, 3].map(() => checkInstances(platform, runtimes)));
  expect(app().received).toHaveLength(2);
});
