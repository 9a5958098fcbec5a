import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, eq, sql } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { attempts, breakers, deliveries, routes, typeBreakers } from "@/drizzle/schema/calls";
import { instances } from "@/drizzle/schema/runtime";
import { FAILURES_TO_OPEN } from "@/lib/domain/calls/breaker";
import { newLease, sendDueDeliveries } from "@/tests/deliver";
import { givenInstance, type Respond } from "@/tests/fake-app";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { listenForWork } from "../../platform/database/work-channel";
import { runPool } from "../../platform/lease-loop";
import { callRoute } from "../call-route";
import { acceptEvent } from "./accept-event";
import { deliveryPool, LANES } from "./delivery-pool";

const platform = await testPlatform();
const ok: Respond = (response) => void response.writeHead(204).end();
const fail: Respond = (response) => void response.writeHead(500).end();

let world: Awaited<ReturnType<typeof givenCustomer>>;
beforeEach(async () => {
  world = await givenCustomer("acme");
});

/** A customer with an app of its own. */
async function givenCustomer(slug: string) {
  const member = await givenMember(platform, slug);
  const { version } = await givenListing(platform, member);
  const { tenant } = await givenTenant(platform, member);
  const { installation, route } = await givenInstallation(platform, member, version, tenant.id);
  const autofill = route("autofill");
  const accept = async (count: number, type = "policy.issued") => {
    for (let n = 0; n < count; n += 1)
      await acceptEvent(platform, tenant.id, {
        id: v7(),
        type,
        timestamp: "2026-01-01T00:00:00Z",
        data: null,
      });
  };
  return { version, installation, tenantId: tenant.id, autofill, accept };
}

const all = () => platform.db.select().from(deliveries).orderBy(asc(deliveries.id));
const theBreaker = async () => one(await platform.db.select().from(typeBreakers));
const makeProbeDue = () => platform.db.update(typeBreakers).set({ probeAt: sql`now()` });
const makeDue = () => platform.db.update(deliveries).set({ nextAttemptAt: sql`now()` });

// Guarantee (P15): one slow app or tenant never delays another.
test("160 events for an app that hangs delay no event of another customer", async () => {
  let release = () => undefined as void;
  const slow = new Promise<void>((resolve) => (release = resolve));
  const other = await givenCustomer("harbor");
  const { app: hanging } = await givenInstance(platform, world.version.id, async (response) => {
    await slow;
    response.end();
  });
  const { app } = await givenInstance(platform, other.version.id, ok);
  await world.accept(160);
  const loop = runPool(platform, deliveryPool(platform));
  loop.wake();
  await expect.poll(() => hanging.received.length).toBeGreaterThan(30);
  await other.accept(40);
  loop.wake();
  await expect.poll(() => app.received.length).toBe(40);
  expect(hanging.received.length).toBeLessThanOrEqual(LANES / 2);
  release();
  await expect
    .poll(() => (loop.wake(), platform.db.$count(deliveries, eq(deliveries.state, "PENDING"))))
    .toBe(0);
  await loop.drain();
});

// Guarantee: an app that refuses connections costs its events no try, and the platform looks at it at once.
test("a refused connection uses no try, and makes the platform look at the instance", async () => {
  const { app, instance } = await givenInstance(platform, world.version.id, ok);
  await world.accept(1);
  app.server.close();
  app.server.closeAllConnections();
  const looked: string[] = [];
  const look = async (id: string) => looked.push(id) > 1;
  expect(await sendDueDeliveries(platform, look)).toBe(1);
  const waiting = one(await all());
  expect(waiting).toMatchObject({ state: "PENDING", attemptCount: 0, interruptions: 1 });
  expect(waiting.reason).toMatch(/refused the connection/);
  expect(waiting.nextAttemptAt.getTime() - Date.now()).toBeLessThan(3_000);
  expect(looked).toEqual([instance.id]);
  expect(await platform.db.$count(breakers)).toBeLessThanOrEqual(1);
});

// Guarantee: a crash that a synchronous call meets is known at once, and not at the next health check.
test("a synchronous call that is refused makes the workers look at the instance", async () => {
  const { app, instance } = await givenInstance(platform, world.version.id, ok);
  app.server.close();
  app.server.closeAllConnections();
  const looked: string[] = [];
  let listening = false;
  const stop = listenForWork(platform, {
    wake: () => (listening = true),
    look: (id) => void looked.push(id),
    start: () => undefined,
    connected: () => undefined,
  });
  await expect.poll(() => listening).toBe(true);
  const { fault } = await callRoute(platform, world.autofill.id, { operation: "newBusiness.create" });
  expect(fault).toBe("app-connection-refused");
  await expect.poll(() => looked).toEqual([instance.id]);
  stop();
});

const crash: Respond = (response) => void response.destroy();

// Guarantee: events in flight when an app crashes keep their tries, but an event that crashes it each time uses them up.
test("an answer that a crash cut off uses no try three times, and then one each time", async () => {
  await givenInstance(platform, world.version.id, crash);
  await world.accept(1);
  for (const used of [
    { attemptCount: 0, interruptions: 1 },
    { attemptCount: 0, interruptions: 2 },
    { attemptCount: 0, interruptions: 3 },
    { attemptCount: 1, interruptions: 3 },
    { attemptCount: 2, interruptions: 3 },
  ]) {
    await makeDue();
    await sendDueDeliveries(platform, async () => true);
    expect(one(await all())).toMatchObject({ state: "PENDING", ...used });
  }
});

test("an answer that an app cut off that still runs uses a try", async () => {
  await givenInstance(platform, world.version.id, crash);
  await world.accept(1);
  await sendDueDeliveries(platform, async () => false);
  expect(one(await all())).toMatchObject({ state: "PENDING", attemptCount: 1, interruptions: 0 });
});

async function openBreaker() {
  const { app } = await givenInstance(platform, world.version.id, fail);
  await world.accept(FAILURES_TO_OPEN + 5);
  await platform.db.execute(sql`
    update deliveries set next_attempt_at = now() + interval '1 hour'
     where id in (select id from deliveries order by id desc limit 5)`);
  await sendDueDeliveries(platform);
  expect(await theBreaker()).toMatchObject({ state: "OPEN", failures: FAILURES_TO_OPEN, openings: 1 });
  return app;
}

// Guarantee: while the breaker is open, nothing is sent, no try is used, and nothing is lost.
test("an open breaker holds back deliveries; two probes are sent, and if one succeeds, the others follow", async () => {
  const app = await openBreaker();
  const tries = (await all()).map(({ attemptCount }) => attemptCount);
  await makeDue();
  expect(await sendDueDeliveries(platform)).toBe(0);
  expect((await all()).map(({ attemptCount }) => attemptCount)).toEqual(tries);
  expect(app.received).toHaveLength(FAILURES_TO_OPEN);

  await makeProbeDue();
  const workers = [deliveryPool(platform), deliveryPool(platform), deliveryPool(platform)];
  const claims = (await Promise.all(workers.map((worker) => worker.claim(LANES, newLease())))).flat();
  expect(claims).toHaveLength(2);
  expect(await theBreaker()).toMatchObject({ state: "HALF_OPEN" });
  expect(await sendDueDeliveries(platform)).toBe(0);
  app.respond = ok;
  for (const probe of claims) await deliveryPool(platform).handle(probe);
  expect(await theBreaker()).toMatchObject({ state: "CLOSED", failures: 0, openedAt: null });
  expect(await sendDueDeliveries(platform)).toBe(FAILURES_TO_OPEN + 3);
  expect((await all()).every(({ state }) => state === "DELIVERED")).toBe(true);
  const held = await platform.db.select({ heldBy: attempts.heldBy }).from(attempts);
  expect(held.filter(({ heldBy }) => heldBy === "BREAKER_OPEN")).toHaveLength(FAILURES_TO_OPEN + 5);
});

test("a probe that fails opens the breaker again, and a probe whose worker died is sent again", async () => {
  await openBreaker();
  await makeDue();
  await makeProbeDue();
  expect(await sendDueDeliveries(platform)).toBe(2);
  expect(await theBreaker()).toMatchObject({ state: "OPEN", openings: 2 });
  await makeProbeDue();
  // The other three that never failed.
  expect(await deliveryPool(platform).claim(LANES, newLease())).toHaveLength(3);
  await platform.db.update(typeBreakers).set({ probeAt: sql`now() - interval '1 second'` });
  expect(await sendDueDeliveries(platform)).toBeGreaterThan(0);
});

// Guarantee: an app that works for one type of many is found with the next probes, which all types get.
test("with 49 broken types and one that works, the one that works is found with one round of probes", async () => {
  const { app } = await givenInstance(platform, world.version.id, failPart);
  await platform.db
    .update(routes)
    .set({ patterns: ["policy.*"] })
    .where(eq(routes.kind, "webhook"));
  for (let at = 0; at < 49; at += 1) await world.accept(1, `policy.broken${at}`);
  await sendDueDeliveries(platform);
  const whole = async () => one(await platform.db.select().from(breakers));
  expect(await whole()).toMatchObject({ state: "OPEN" });
  await world.accept(3, "policy.issued");
  expect(await sendDueDeliveries(platform)).toBe(0);
  await makeDue();
  await platform.db.update(breakers).set({ probeAt: sql`now()` });
  app.received.length = 0;
  expect(await sendDueDeliveries(platform)).toBe(50);
  expect(await whole()).toMatchObject({ state: "CLOSED" });
  await expect.poll(async () => (await sendDueDeliveries(platform), pendingOf("policy.issued"))).toBe(0);
  // Each broken type waits by itself now.
  expect(app.received).toHaveLength(52);
});

// Guarantee: payloads that the app fails on hold those behind them only until the next probe.
test.each([40, 4_000])(
  "beside %i payloads of its type that the app fails on, one that it handles arrives",
  async (count) => {
    await givenInstance(
      platform,
      world.version.id,
      (response, { body }) => void response.writeHead(body.includes('"data":null') ? 500 : 204).end(),
    );
    await world.accept(40);
    await platform.pool.query(MORE_EVENTS, [count - 40]);
    await sendDueDeliveries(platform);
    expect(await theBreaker()).toMatchObject({ state: "OPEN" });
    await acceptGood(3);
    await makeProbeDue();
    await sendDueDeliveries(platform);
    expect(await arrived()).toBeGreaterThan(0);
    await sendDueDeliveries(platform);
    expect(await arrived()).toBe(3);
  },
);

// Guarantee: the same for payloads between two heaps of those that it fails on, whose ends are all that a probe meets at first.
test.each([
  { breaker: "type", count: 40, openings: 5 },
  { breaker: "type", count: 300, openings: 13 },
  { breaker: "whole", count: 40, openings: 5 },
])(
  "between two times $count payloads that the app fails on, some that it handles arrive after $openings openings of the $breaker",
  async ({ breaker, count, openings }) => {
    await givenInstance(
      platform,
      world.version.id,
      (response, { body }) => void response.writeHead(body.includes('"data":null') ? 500 : 204).end(),
    );
    await platform.db
      .update(routes)
      .set({ patterns: ["policy.*"] })
      .where(eq(routes.kind, "webhook"));
    const types = breaker === "type" ? ["policy.issued"] : ["policy.issued", "policy.cancelled"];
    for (const type of types) await world.accept(FAILURES_TO_OPEN / types.length, type);
    await sendDueDeliveries(platform);
    const table = breaker === "type" ? typeBreakers : breakers;
    expect(await platform.db.$count(table, and(eq(table.state, "OPEN"), eq(table.openings, 1)))).toBe(1);
    await platform.pool.query(MORE_EVENTS, [count]);
    await acceptGood(3);
    await platform.pool.query(MORE_EVENTS, [count]);
    let round = 0;
    while (round++ < openings && (await arrived()) < 3) {
      await platform.db.update(table).set({ probeAt: sql`now()` });
      await sendDueDeliveries(platform);
    }
    expect(await arrived()).toBe(3);
  },
);

/** Of the type that `world.accept` sends, with a payload that differs. */
async function acceptGood(count: number) {
  for (let at = 0; at < count; at += 1)
    await acceptEvent(platform, world.tenantId, {
      id: v7(),
      type: "policy.issued",
      timestamp: "2026-01-01T00:00:00Z",
      data: {},
    });
}
const arrived = () => platform.db.$count(deliveries, eq(deliveries.state, "DELIVERED"));

/** Whatever of one type gets, it answers 500; the rest works. */
const failPart: Respond = (response, { body }) =>
  void response.writeHead(body.includes("policy.broken") ? 500 : 204).end();
const pendingOf = (type: string) =>
  platform.db.$count(deliveries, and(eq(deliveries.state, "PENDING"), eq(deliveries.eventType, type)));

/** Copies of the first event. */
const MORE_EVENTS = `
  with more as (
    insert into events (id, tenant_id, event_id, type, body, body_hash)
    select gen_random_uuid(), e.tenant_id, gen_random_uuid(), e.type, e.body, e.body_hash
      from (select * from events order by id limit 1) e cross join generate_series(1, $1::int) n
    returning id, type)
  insert into deliveries (id, event_id, installation_id, route_id, event_type)
  select gen_random_uuid(), more.id, d.installation_id, d.route_id, more.type
    from more cross join (select * from deliveries limit 1) d`;

// Guarantee: a broken type holds back itself, and not its neighbors, however many of its events wait.
test.each([40, 4_000])("with %i events of a broken type, those of another arrive at once", async (count) => {
  await givenInstance(platform, world.version.id, failPart);
  await platform.db
    .update(routes)
    .set({ patterns: ["policy.*"] })
    .where(eq(routes.kind, "webhook"));
  await world.accept(40, "policy.broken");
  await platform.pool.query(MORE_EVENTS, [count - 40]);
  await sendDueDeliveries(platform);
  expect(await theBreaker()).toMatchObject({ state: "OPEN", eventType: "policy.broken" });
  await makeDue();
  await world.accept(3, "policy.issued");
  await expect.poll(async () => (await sendDueDeliveries(platform), pendingOf("policy.issued"))).toBe(0);
  expect(await pendingOf("policy.broken")).toBe(count);
});

test("successes between failures keep the breaker closed", async () => {
  const { app } = await givenInstance(platform, world.version.id, fail);
  for (let round = 0; round < 3; round += 1) {
    app.respond = fail;
    await world.accept(FAILURES_TO_OPEN - 1);
    await sendDueDeliveries(platform);
    app.respond = ok;
    await world.accept(1);
    await sendDueDeliveries(platform);
    expect(await theBreaker()).toMatchObject({ state: "CLOSED", failures: 0 });
  }
});

// Guarantee: whatever is claimed and settled together, each delivery gets its own result.
test("many deliveries are claimed with their attempts, and settled, each with its own result", async () => {
  const { app } = await givenInstance(platform, world.version.id, async (response, { body }) => {
    await sleep(1);
    const { id } = z.object({ id: z.string() }).parse(JSON.parse(body));
    response.writeHead(/[02468ace]$/.test(id) ? 204 : 404).end();
  });
  await world.accept(50);
  await expect.poll(async () => (await sendDueDeliveries(platform)) === 0).toBe(true);
  expect(app.received).toHaveLength(50);
  expect(await platform.db.$count(attempts)).toBe(50);
  for (const { id, state } of await all()) {
    const attempt = one(await platform.db.select().from(attempts).where(eq(attempts.deliveryId, id)));
    expect(state).toBe(attempt.status === 204 ? "DELIVERED" : "DEAD");
  }
});

test("an instance that ended is not called", async () => {
  await givenInstance(platform, world.version.id, ok);
  await world.accept(1);
  await platform.db.update(instances).set({ state: "FAILED" });
  expect(await sendDueDeliveries(platform)).toBe(0);
});
