import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { request } from "undici";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { attempts, deliveries } from "@/drizzle/schema/calls";
import { versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import { acceptEvent } from "@/lib/server/calls/deliveries/accept-event";
import { LANES } from "@/lib/server/calls/deliveries/delivery-pool";
import { addHealth } from "@/lib/server/insight/health/read-health";
import { endLeasesOfDeadWorkers } from "@/lib/server/platform/presence";
import { ensureInstance } from "@/lib/server/runtime/ensure-instance";
import { givenInstance, type Received, type Respond } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { runWorker, type Worker } from "./run-worker";

const platform = await testPlatform();
const event = (id: string) => ({ id, type: "policy.issued", timestamp: "2026-01-01T00:00:00Z", data: null });

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const publisher = await givenMember(platform, "acme");
  const manifest = { ...SAMPLE_MANIFEST, core: { ...SAMPLE_MANIFEST.core, lifecycle: [] } };
  const { version } = await givenListing(platform, publisher, { appName: "vin-autofill", manifest });
  const { tenant } = await givenTenant(platform, publisher);
  const { installation } = await givenInstallation(platform, publisher, version, tenant.id);
  return { version, tenant, installation };
}

const received = (app: { received: Received[] }) => () =>
  app.received.flatMap(({ url, headers }) => (url === "/events" ? [String(headers["webhook-id"])] : []));

const undelivered = async () =>
  (await platform.db.select().from(deliveries)).filter((row) => row.state !== "DELIVERED").length;

/** Sends the event until it is accepted, as a core does. */
async function sendUntilAccepted(id: string): Promise<void> {
  await acceptEvent(platform, world.tenant.id, event(id)).catch(async () => {
    await sleep(20);
    await sendUntilAccepted(id);
  });
}

describe("in this process", () => {
  let worker: Worker | undefined;
  afterEach(async () => {
    await worker?.end();
    worker = undefined;
  });

  /** Starts a worker whose app is already running, as after a restart. */
  async function startWith(respond: Respond): Promise<void> {
    const { runtimes } = fakeRuntimes((response, received) =>
      received.url === "/events" ? respond(response, received) : void response.end(),
    );
    await ensureInstance(platform, runtimes, world.version.id);
    worker = runWorker(platform, runtimes);
  }

  test("an event is delivered when it is accepted, not at the next poll", async () => {
    // This worker never polls.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    let received = 0;
    await startWith((response) => {
      received += 1;
      response.end();
    });
    for (let n = 1; n <= 5; n += 1) {
      await acceptEvent(platform, world.tenant.id, event(`e${n}`));
      await expect.poll(() => received).toBe(n);
    }
    await worker?.end();
    worker = undefined;
  });

  test("a worker that drains keeps the leases of what it still works on", async () => {
    const held: { end: () => void }[] = [];
    await startWith((response) => void held.push(response));
    await acceptEvent(platform, world.tenant.id, event("slow"));
    await expect.poll(() => held).toHaveLength(1);
    const ended = worker?.end();
    worker = undefined;
    // As another worker does it: what misses its lock for the first time may come back.
    for (let look = 0; look < 3; look += 1) await endLeasesOfDeadWorkers(platform, null, 0);
    const { leasedUntil } = one(await platform.db.select().from(deliveries));
    expect(leasedUntil?.getTime()).toBeGreaterThan(Date.now() + 5_000);
    held[0]?.end();
    await ended;
    expect(await undelivered()).toBe(0);
  });

  // Guarantee: losing the database ends no worker and loses no accepted event.
  test("continues after every connection was closed", async () => {
    await startWith((response) => void response.end());
    for (let round = 0; round < 5; round += 1) {
      for (let n = 0; n < 10; n += 1) await sendUntilAccepted(`${round}-${n}`);
      await platform.pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()",
      );
    }
    await expect.poll(() => platform.db.select().from(deliveries)).toHaveLength(50);
    // Deliveries in progress would wait for their lease; the test ends it at once.
    await expect
      .poll(
        async () => {
          await platform.db
            .update(deliveries)
            .set({ leasedUntil: null })
            .where(eq(deliveries.state, "PENDING"));
          return undelivered();
        },
        { interval: 1_000 },
      )
      .toBe(0);
  });

  // Guarantee: a payload of one customer that crashes a shared app is known within seconds, and no installation is in ERROR.
  test("a call that crashes the app: it is down at once with the reason, then restarted, and both stay RUNNING", async () => {
    const other = await givenMember(platform, "alpine");
    const { tenant } = await givenTenant(platform, other, "alpine.core.example");
    await givenInstallation(platform, other, world.version, tenant.id);
    const fake = fakeRuntimes((response, { body }) => {
      if (body.includes("poison")) fake.crash();
      else response.end("ok");
    });
    await ensureInstance(platform, fake.runtimes, world.version.id);
    worker = runWorker(platform, fake.runtimes);
    const health = async () =>
      (await addHealth(platform.db, await platform.db.select().from(installations))).map(
        (row) => `${row.state} ${row.health.status} ${row.health.problems[0]?.reason ?? ""}`,
      );
    for (let crash = 1; crash <= 3; crash += 1) {
      await acceptEvent(platform, world.tenant.id, { ...event(`poison-${crash}`), data: "poison" });
      await expect
        .poll(async () =>
          (await platform.db.select().from(instances)).filter(({ state }) => state === "FAILED"),
        )
        .toHaveLength(crash);
      expect(new Set(await health())).toEqual(
        new Set([expect.stringMatching(/^RUNNING (DOWN|DEGRADED) The app exited with code 1\.$/)]),
      );
      await expect
        .poll(async () => new Set(await health()))
        .toEqual(new Set(["RUNNING DEGRADED The app exited with code 1."]));
    }
  });

  // Guarantee: claimed work is finished before the worker ends.
  test("end waits for calls in progress and claims no more", async () => {
    for (let n = 0; n < LANES; n += 1) await acceptEvent(platform, world.tenant.id, event(`e${n}`));
    const held: { end: () => void }[] = [];
    let respond = (response: { end: () => void }) => void held.push(response);
    await startWith((response) => respond(response));
    await expect.poll(() => held.length).toBeGreaterThan(0);
    const ended = worker?.end();
    worker = undefined;
    respond = (response) => void response.end();
    for (const response of held) response.end();
    await ended;
    const sent = (await platform.db.select().from(attempts)).map((attempt) => attempt.status);
    expect(sent.length).toBeLessThan(LANES);
    expect(sent.every((status) => status === 200)).toBe(true);
    expect(await undelivered()).toBe(LANES - sent.length);
  });
});

describe("as a process", () => {
  const running = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of running) child.kill("SIGKILL");
    running.clear();
  });

  async function startWorker(): Promise<{ child: ChildProcess; message: unknown }> {
    const { DATABASE_URL, PLATFORM_MASTER_KEYS, dataDir } = platform.environment;
    const env = {
      ...process.env,
      NODE_ENV: "test" as const,
      DATABASE_URL,
      PLATFORM_MASTER_KEYS,
      PLATFORM_DATA_DIR: dataDir,
    };
    const child = fork(".build/worker.js", {
      env,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    running.add(child);
    const [message] = await once(child, "message");
    return { child, message };
  }

  const readyOrigin = async () => {
    const rows = await platform.db.select().from(instances).where(eq(instances.state, "READY"));
    return rows[0]?.origin ?? undefined;
  };
  const answers = (origin: string) =>
    request(`${origin}/health`).then(
      async ({ statusCode, body }) => body.dump().then(() => statusCode),
      () => "nothing",
    );

  // Guarantee: kill -9 loses no accepted event, and repeats at most those in progress, with the same event id.
  test("every event arrives even if workers are killed", async () => {
    const { app } = await givenInstance(platform, world.version.id, async (response) => {
      await sleep(5);
      response.end();
    });
    const events = received(app);
    const ids = new Set<string>();
    for (let n = 0; n < 300; n += 1)
      ids.add((await acceptEvent(platform, world.tenant.id, event(`e${n}`))).eventId);
    for (const kills of [1, 2, 3]) {
      const { child } = await startWorker();
      await expect.poll(() => events().length, { interval: 2 }).toBeGreaterThan(kills * 50);
      child.kill("SIGKILL");
      await once(child, "exit");
      // Each kill leaves leases that the next worker would wait for; the test ends them at once.
      await platform.db.update(deliveries).set({ leasedUntil: null });
    }
    await startWorker();
    await expect.poll(undelivered).toBe(0);
    expect(new Set(events())).toEqual(ids);
    expect(events().length - ids.size).toBeLessThanOrEqual(3 * LANES);
  });

  // Guarantee: no app outlives its worker unnoticed, however the worker ended; a new worker starts the app again.
  test("launches an example, restarts it after kill -9, and stops it on SIGTERM", async () => {
    await platform.db
      .update(versions)
      .set({ bundleKind: "example-folder", imageDigest: "", archiveDigest: "" });
    await platform.db.update(installations).set({ state: "LAUNCHING" });
    const first = await startWorker();
    expect(first.message).toMatchObject({
      ready: true,
      runtimes: [{ name: "docker" }, { name: "process", isolates: false }],
    });
    await expect
      .poll(async () => one(await platform.db.select().from(installations)))
      .toMatchObject({ state: "RUNNING", reason: null });
    const origin = (await readyOrigin()) ?? "";
    expect(await answers(origin)).toBe(200);

    first.child.kill("SIGKILL");
    await expect.poll(() => answers(origin)).toBe("nothing");
    const second = await startWorker();
    await expect.poll(readyOrigin).not.toBe(origin);
    await expect.poll(readyOrigin).toBeDefined();
    const again = (await readyOrigin()) ?? "";
    expect(await answers(again)).toBe(200);

    second.child.kill("SIGTERM");
    expect(await once(second.child, "exit")).toEqual([0, null]);
    expect(await answers(again)).toBe("nothing");
    expect(await readyOrigin()).toBeUndefined();
    expect(one(await platform.db.select().from(installations))).toMatchObject({ state: "RUNNING" });
  });
});
