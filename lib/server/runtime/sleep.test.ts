/** Versions that nothing calls are stopped, and nobody who calls them notices more than a wait. */
import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { deliveries } from "@/drizzle/schema/calls";
import { versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { notifications } from "@/drizzle/schema/platform";
import { instances } from "@/drizzle/schema/runtime";
import { sendDueDeliveries } from "@/tests/deliver";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { givenInstallation, givenInstalledApp, givenTenant, one, testPlatform } from "@/tests/test-platform";
import { advanceInstallations } from "@/tests/work";
import { callRoute } from "../calls/call-route";
import { acceptEvent } from "../calls/deliveries/accept-event";
import { readInstallation } from "../installations/read-installation";
import { restoreInstances } from "../installations/work/restore-instances";
import { drainInstances, sleepIdle } from "./drain-instances";
import { ensureInstance } from "./ensure-instance";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  platform.environment.PLATFORM_SLEEP_MINUTES = 30;
  platform.environment.PLATFORM_SLEEP_PRODUCTION = false;
  world = await givenWorld();
});

/** An app of a sandbox tenant that started an hour ago. */
async function givenWorld() {
  const { customer, version, tenant, installation, route } = await givenInstalledApp(platform);
  await platform.db.update(tenants).set({ sandbox: true }).where(eq(tenants.id, tenant.id));
  const routeId = route("autofill").id;
  const fake = fakeRuntimes((response) => void response.end("{}"));
  await ensureInstance(platform, fake.runtimes, version.id);
  await age();
  const status = async () => (await readInstallation(platform, customer, installation.id)).health.status;
  const call = () => callRoute(platform, routeId, { operation: "newBusiness.create" });
  return { customer, version, tenant, installation, fake, status, call };
}

async function age() {
  const anHourAgo = sql`now() - interval '1 hour'`;
  await platform.db.update(instances).set({ readyAt: anHourAgo });
  await platform.db.update(installations).set({ updatedAt: anHourAgo });
}

const supervise = async () => {
  await restoreInstances(platform, world.fake.runtimes);
  await drainInstances(platform, world.fake.runtimes, 0);
};

async function fallAsleep() {
  await sleepIdle(platform);
  await expect
    .poll(async () => {
      await supervise();
      return world.fake.handles();
    })
    .toEqual([]);
}

/** What a worker does until the work is done. */
async function superviseUntil<Result>(work: Promise<Result>): Promise<Result> {
  let done = false;
  const end = () => void (done = true);
  void work.then(end, end);
  while (!done) {
    await supervise();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return work;
}

// Guarantee: an app that nobody calls costs nothing, and its customers see that as what it is.
test("a version that nothing called is stopped, shown as asleep, and not started again by itself", async () => {
  await fallAsleep();
  expect(await world.status()).toBe("ASLEEP");
  await supervise();
  expect(world.fake.handles()).toEqual([]);
  const rows = await platform.db.select().from(instances).orderBy(asc(instances.id));
  expect(rows).toMatchObject([{ state: "STOPPED", reasonCode: "ASLEEP" }]);
  expect(await platform.db.$count(notifications)).toBe(0);
});

describe("a version that sleeps is started by", () => {
  test("a call, which gets the app's answer", async () => {
    await fallAsleep();
    const results = await superviseUntil(Promise.all([world.call(), world.call()]));
    expect(results).toMatchObject([
      { status: 200, failure: null },
      { status: 200, failure: null },
    ]);
    expect(world.fake.orders).toHaveLength(2);
    expect(await world.status()).toBe("RUNNING");
  });

  test("an event, which is delivered", async () => {
    await fallAsleep();
    const data = { policy: "p1" };
    await acceptEvent(platform, world.tenant.id, {
      id: "e1",
      type: "policy.issued",
      timestamp: "2026-01-01T00:00:00Z",
      data,
    });
    expect(await sendDueDeliveries(platform)).toBe(0);
    await supervise();
    expect(await sendDueDeliveries(platform)).toBe(1);
    expect(one(await platform.db.select().from(deliveries))).toMatchObject({
      state: "DELIVERED",
      interruptions: 0,
    });
  });

  test("whatever else needs the app: a launch, an upgrade, or a check of answers", async () => {
    await fallAsleep();
    await ensureInstance(platform, world.fake.runtimes, world.version.id);
    expect(await world.status()).toBe("RUNNING");
    expect(one(await platform.db.select().from(versions))).toMatchObject({
      asleepSince: null,
      wokenAt: null,
    });
  });

  test("a stop, whose hook it gets", async () => {
    await ensureInstance(platform, world.fake.runtimes, world.version.id);
    await platform.db.update(installations).set({ state: "LAUNCHING" });
    await advanceInstallations(platform, world.fake.runtimes);
    await platform.db.execute(sql`delete from attempts where hook is null`);
    await platform.db.execute(
      sql`update attempts set id = '00000000-0000-7000-8000-000000000000' where hook = 'start'`,
    );
    await platform.db.execute(sql`delete from attempts where id <> '00000000-0000-7000-8000-000000000000'`);
    await age();
    await fallAsleep();
    await platform.db.update(installations).set({ state: "STOPPING" });
    await advanceInstallations(platform, world.fake.runtimes);
    const { rows } = await platform.db.execute(sql`select status from attempts where hook = 'stop'`);
    expect(rows).toEqual([{ status: 200 }]);
  });
});

test("a version whose start fails when it is called is down, with the reason", async () => {
  await fallAsleep();
  world.fake.respond = (response) => {
    response.writeHead(500).end();
    world.fake.crash();
  };
  const { failure } = await superviseUntil(world.call());
  expect(failure).toContain("No instance of the app is ready");
  expect(await world.status()).toBe("DOWN");
});

describe("a version stays up", () => {
  const expectAwake = async () => {
    await sleepIdle(platform);
    await supervise();
    expect(world.fake.handles()).toHaveLength(1);
    expect(await world.status()).toBe("RUNNING");
  };

  test("while a production tenant uses it, unless the operator says otherwise", async () => {
    await platform.db.update(tenants).set({ sandbox: false });
    await expectAwake();
    platform.environment.PLATFORM_SLEEP_PRODUCTION = true;
    await fallAsleep();
  });

  test("if a production tenant uses it beside the sandbox", async () => {
    const other = await givenTenant(platform, world.customer, "other.core.example", "Other");
    await givenInstallation(platform, world.customer, world.version, other.tenant.id);
    await age();
    await expectAwake();
  });

  test("if it was called or started lately, or if sleeping is turned off", async () => {
    await world.call();
    await platform.services.recorder.flush();
    await expectAwake();
    await platform.db.execute(sql`delete from attempts`);
    await platform.db.update(instances).set({ readyAt: sql`now()` });
    await expectAwake();
    await age();
    platform.environment.PLATFORM_SLEEP_MINUTES = 0;
    await expectAwake();
  });

  test("if an event waits for it", async () => {
    const data = { policy: "p1" };
    await acceptEvent(platform, world.tenant.id, {
      id: "e1",
      type: "policy.issued",
      timestamp: "2026-01-01T00:00:00Z",
      data,
    });
    await expectAwake();
  });
});
