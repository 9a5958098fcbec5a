import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { attempts, deliveries, routes } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type { CoreEvent } from "@/lib/contract/platform/core";
import { claimDueDeliveries, newLease, sendDueDeliveries } from "@/tests/deliver";
import { givenInstance, type Respond, UNREADABLE } from "@/tests/fake-app";
import {
  givenInstalledApp,
  givenMember,
  givenTenant,
  givenVersion,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { moveInstallation } from "../../installations/queries";
import { acceptEvent } from "./accept-event";
import { deliveryPool } from "./delivery-pool";
import { endDeliveries } from "./queries";

const platform = await testPlatform();
const ok: Respond = (response) => void response.writeHead(204).end();
const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    void response.writeHead(code, headers).end();

let world: Awaited<ReturnType<typeof givenInstalledApp>>;
beforeEach(async () => {
  world = await givenInstalledApp(platform, { slug: "harbor-mutual" });
});

function event(id: string, type = "policy.issued"): CoreEvent {
  return { id, type, timestamp: "2026-01-01T00:00:00Z", data: { policy: id } };
}

const accept = (id: string, type?: string) => acceptEvent(platform, world.tenant.id, event(id, type));
const allDeliveries = () => platform.db.select().from(deliveries).orderBy(asc(deliveries.id));
const allAttempts = () => platform.db.select().from(attempts).orderBy(asc(attempts.id));
const theDelivery = async () => one(await allDeliveries());
const makeDue = () => platform.db.update(deliveries).set({ nextAttemptAt: sql`now()` });

// Guarantee: the app gets the complete event, signed as Standard Webhooks asks; 2xx settles it.
test("an accepted event reaches the app, signed", async () => {
  const { app } = await givenInstance(platform, world.version.id, ok);
  const accepted = await accept("e1");
  expect(accepted).toMatchObject({ deliveries: 1, duplicate: false });
  expect(await sendDueDeliveries(platform)).toBe(1);

  const received = one(app.received);
  expect(received.url).toBe("/events");
  expect(JSON.parse(received.body)).toEqual(event("e1"));
  const id = received.headers["webhook-id"];
  expect(id).toBe(accepted.eventId);
  expect(received.headers["webhook-signature"]).toMatch(/^v1,/);
  expect(await theDelivery()).toMatchObject({ state: "DELIVERED", attemptCount: 1 });
  expect(await sendDueDeliveries(platform)).toBe(0);
});

// Guarantee: what is acknowledged is not sent again, whatever the body that nobody needs.
test.each(UNREADABLE)("an acknowledgement with $name settles a delivery", async ({ respond }) => {
  const { app } = await givenInstance(platform, world.version.id, respond);
  await accept("e1");
  await sendDueDeliveries(platform);
  expect(await theDelivery()).toMatchObject({ state: "DELIVERED", attemptCount: 1, reason: null });
  await makeDue();
  expect(await sendDueDeliveries(platform)).toBe(0);
  expect(app.received).toHaveLength(1);
  expect(one(await allAttempts())).toMatchObject({ status: 200, failure: null, fault: null });
});

// Guarantee: however often the core sends an event, there is one event and one set of deliveries.
test("the same event id returns the first result, even concurrently", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => accept("e1")));
  expect(all.filter((accepted) => !accepted.duplicate)).toHaveLength(1);
  expect(new Set(all.map((accepted) => `${accepted.eventId} ${accepted.deliveries}`)).size).toBe(1);
  expect(await allDeliveries()).toHaveLength(1);
});

test("events only go to the tenant's running installations with a matching pattern", async () => {
  expect(await accept("e1", "policy.cancelled")).toMatchObject({ deliveries: 0 });
  const other = await givenTenant(platform, await givenMember(platform, "alpine"));
  expect(await acceptEvent(platform, other.tenant.id, event("e1"))).toMatchObject({
    deliveries: 0,
    duplicate: false,
  });
  await platform.db.update(installations).set({ state: "STOPPED" });
  expect(await accept("e2")).toMatchObject({ deliveries: 0 });
});

test("an event that is too large is refused with a reason", async () => {
  const long = { ...event("e1"), data: Array.from({ length: 60_000 }, () => 1e20) };
  await expect(acceptEvent(platform, world.tenant.id, long)).rejects.toMatchObject({ code: "TOO_LARGE" });
});

// Guarantee: at least once. If the app fails, the event is sent again on schedule with the same event id.
test("a failed attempt is repeated later, with the same event id and another key", async () => {
  const { app } = await givenInstance(platform, world.version.id, status(503));
  await accept("e1");
  await sendDueDeliveries(platform);
  const waiting = await theDelivery();
  expect(waiting).toMatchObject({ state: "PENDING", attemptCount: 1, leasedUntil: null });
  expect(Number(waiting.nextAttemptAt) - Number(one(await allAttempts()).endedAt)).toBeGreaterThan(3_000);
  expect(await sendDueDeliveries(platform)).toBe(0);

  app.respond = ok;
  await makeDue();
  await sendDueDeliveries(platform);
  expect(await theDelivery()).toMatchObject({ state: "DELIVERED", attemptCount: 2 });
  const [first, second] = app.received;
  expect(first?.headers["webhook-id"]).toBe(second?.headers["webhook-id"]);
  expect(first?.headers["x-platform-key"]).not.toBe(second?.headers["x-platform-key"]);
  expect(await platform.db.select().from(attempts)).toHaveLength(2);
});

test("Retry-After is honored", async () => {
  await givenInstance(platform, world.version.id, status(429, { "retry-after": "3600" }));
  await accept("e1");
  await sendDueDeliveries(platform);
  expect((await theDelivery()).nextAttemptAt.getTime() - Date.now()).toBeGreaterThan(3_500_000);
});

test("after the tenth failed attempt, a delivery is dead and stays listed", async () => {
  await givenInstance(platform, world.version.id, status(500));
  await accept("e1");
  for (let n = 0; n < 12; n += 1) {
    await makeDue();
    await sendDueDeliveries(platform);
  }
  expect(await theDelivery()).toMatchObject({ state: "DEAD", attemptCount: 10 });
});

// Guarantee: a route that answers 410 gets no more events.
test("410 ends the route and its pending deliveries", async () => {
  const { app } = await givenInstance(platform, world.version.id, status(410));
  await accept("e1");
  await accept("e2");
  const claimed = one(await claimDueDeliveries(platform, 1));
  await deliveryPool(platform).handle(claimed);
  expect((await allDeliveries()).map((delivery) => delivery.state)).toEqual(["ENDED", "ENDED"]);
  expect(await accept("e3")).toMatchObject({ deliveries: 0 });
  expect(app.received).toHaveLength(1);
  const route = one(await platform.db.select().from(routes).where(eq(routes.id, claimed.routeId)));
  expect(route.endedAt).not.toBeNull();
});

/** A second version with its own instance, and the installation's move to it. */
async function givenNextVersion() {
  const next = await givenVersion(platform, world.version, "2.0.0");
  const { app } = await givenInstance(platform, next.id, ok);
  return { app, switchTo: (tx = platform.db) => tx.update(installations).set({ versionId: next.id }) };
}

// Guarantee: a version only ends its own subscription, not the next version's, and no event is lost.
test.each(["before the answer", "while the answer is settled"])(
  "410 of a version that an upgrade replaces %s ends nothing, and the event goes to the next version",
  async (moment) => {
    const next = await givenNextVersion();
    const early = moment === "before the answer";
    let switched = Promise.resolve();
    const { app } = await givenInstance(platform, world.version.id, async (response) => {
      switched = platform.db.transaction(async (tx) => {
        await next.switchTo(tx);
        if (early) return;
        response.writeHead(410).end();
        await sleep(300);
      });
      await switched;
      if (early) response.writeHead(410).end();
    });
    await accept("e1");
    await sendDueDeliveries(platform);
    await switched;
    expect(await theDelivery()).toMatchObject({ state: "PENDING", attemptCount: 1, leasedUntil: null });
    expect(await sendDueDeliveries(platform)).toBe(1);
    expect(await theDelivery()).toMatchObject({ state: "DELIVERED", attemptCount: 2 });
    expect([app.received.length, next.app.received.length]).toEqual([1, 1]);
    expect(await accept("e2")).toMatchObject({ deliveries: 1 });
  },
);

// Guarantee: a worker that dies loses nothing: its lease expires, and another worker sends the delivery again.
test("a dead worker's delivery is taken over when the lease expires, and a late answer settles nothing", async () => {
  const { app } = await givenInstance(platform, world.version.id, ok);
  await accept("e1");
  const before = Date.now();
  const dead = one(await claimDueDeliveries(platform, 16));
  const claimed = Date.now();
  expect(await sendDueDeliveries(platform)).toBe(0);
  await platform.db.update(deliveries).set({ leasedUntil: sql`now() - interval '1 second'` });
  expect(await sendDueDeliveries(platform)).toBe(1);
  // Guarantee: the app may have seen the dead worker's attempt, so there is a record of it.
  const [interrupted, second, none] = await allAttempts();
  expect(interrupted).toMatchObject({
    id: dead.claim,
    deliveryId: dead.id,
    durationMs: null,
    payloadBytes: 92,
  });
  expect(Number(interrupted?.startedAt)).toBeGreaterThan(before - 100);
  expect(Number(interrupted?.startedAt)).toBeLessThan(claimed + 100);
  expect([second?.status, none]).toEqual([204, undefined]);
  app.respond = status(500);
  await deliveryPool(platform).handle(dead);
  expect(await theDelivery()).toMatchObject({ state: "DELIVERED", attemptCount: 1 });
  expect(await allAttempts()).toMatchObject([{ id: dead.claim, status: 500 }, { status: 204 }]);
});

// Guarantee: whatever ends a delivery, an attempt that a worker began is in the records.
test("a delivery that is ended while it is sent has its attempt, even if its worker dies", async () => {
  await givenInstance(platform, world.version.id, ok);
  await accept("e1");
  await accept("e2");
  const begun = one(await claimDueDeliveries(platform, 1));
  await endDeliveries(platform.db, world.installation.id);
  expect((await allDeliveries()).map(({ state }) => state)).toEqual(["ENDED", "ENDED"]);
  expect(await allAttempts()).toMatchObject([{ id: begun.claim, deliveryId: begun.id, durationMs: null }]);
});

// Guarantee: a slow app's attempt is shown while it runs, and recorded once.
test("an attempt that takes more than a second is recorded before it ends", async () => {
  let release = () => undefined as void;
  const slow = new Promise<void>((resolve) => (release = resolve));
  await givenInstance(platform, world.version.id, async (response) => {
    await slow;
    response.writeHead(204).end();
  });
  await accept("e1");
  const sending = sendDueDeliveries(platform);
  await expect.poll(allAttempts).toMatchObject([{ durationMs: null, status: null }]);
  const { id } = one(await allAttempts());
  release();
  await sending;
  expect(await allAttempts()).toMatchObject([
    { id, status: 204, failure: null, durationMs: expect.any(Number) },
  ]);
});

test("concurrent workers claim different deliveries", async () => {
  await givenInstance(platform, world.version.id, ok);
  for (let n = 0; n < 30; n += 1) await accept(`e${n}`);
  const workers = Array.from({ length: 6 }, () => deliveryPool(platform));
  const ids: string[] = [];
  await expect
    .poll(async () => {
      const claims = await Promise.all(workers.map((worker) => worker.claim(10, newLease())));
      ids.push(...claims.flat().map((delivery) => delivery.id));
      return ids.length;
    })
    .toBe(30);
  expect(new Set(ids).size).toBe(30);
});

// Guarantee: while the app or its installation is stopped, no event is lost and no attempt is used up.
test("a delivery waits while no instance is ready or the installation is stopped", async () => {
  const { app } = await givenInstance(platform, world.version.id, ok);
  await accept("e1");
  await platform.db.update(instances).set({ state: "FAILED" });
  expect(await sendDueDeliveries(platform)).toBe(0);
  await platform.db.update(instances).set({ state: "READY" });
  await platform.db.update(installations).set({ state: "STOPPED" });
  expect(await sendDueDeliveries(platform)).toBe(0);
  await platform.db.update(installations).set({ state: "RUNNING" });
  expect(await sendDueDeliveries(platform)).toBe(1);
  expect(app.received).toHaveLength(1);
  expect(await theDelivery()).toMatchObject({ state: "DELIVERED", attemptCount: 1 });
});

// Guarantee: a delivery that had to wait says since when and why; one that was sent at once says nothing.
test("an attempt records what held its delivery back", async () => {
  await givenInstance(platform, world.version.id, ok);
  const { id, organizationId } = world.installation;
  const move = (from: InstallationState, to: InstallationState) =>
    moveInstallation(platform.db, { id, organizationId, from, to });
  await accept("e1");
  await sendDueDeliveries(platform);
  await accept("e2");
  const { nextAttemptAt } = one(
    await platform.db.select().from(deliveries).where(eq(deliveries.state, "PENDING")),
  );
  await move("RUNNING", "STOPPED");
  await move("STOPPED", "RUNNING");
  await sendDueDeliveries(platform);
  await accept("e3");
  await platform.db.update(instances).set({ readyAt: sql`clock_timestamp()` });
  await sendDueDeliveries(platform);
  const waits = await platform.db
    .select({ dueAt: attempts.dueAt, heldBy: attempts.heldBy })
    .from(attempts)
    .orderBy(attempts.id);
  expect(waits).toMatchObject([
    { dueAt: null, heldBy: null },
    { dueAt: nextAttemptAt, heldBy: "NOT_RUNNING" },
    { heldBy: "NOT_READY" },
  ]);
});
