import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { breakers, deliveries, events, routes, typeBreakers } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { audit } from "@/drizzle/schema/platform";
import { instances } from "@/drizzle/schema/runtime";
import type { DeliveryState } from "@/lib/contract/catalog/installation-states";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance } from "@/tests/fake-app";
import { givenInstalledApp, givenMember, one, testPlatform } from "@/tests/test-platform";
import { replayDeliveries } from "./replay-deliveries";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const { customer: member, version, tenant, installation, route } = await givenInstalledApp(platform);
  const webhook = route("webhook");
  return { member, version, tenant, installation, webhook };
}

/** A delivery after its last try. */
async function given(state: DeliveryState): Promise<string> {
  const { tenant, installation, webhook } = world;
  const event = one(
    await platform.db
      .insert(events)
      .values({
        tenantId: tenant.id,
        eventId: `${state} ${Math.random()}`,
        type: "policy.issued",
        body: "{}",
        bodyHash: "-",
      })
      .returning(),
  );
  const settled = { state, attemptCount: 10, interruptions: 2, settledAt: new Date(), reason: "It failed." };
  const row = {
    eventId: event.id,
    installationId: installation.id,
    routeId: webhook.id,
    eventType: event.type,
    ...settled,
  };
  return one(await platform.db.insert(deliveries).values(row).returning()).id;
}

const stateOf = async (id: string) =>
  one(await platform.db.select().from(deliveries).where(eq(deliveries.id, id)));

// Guarantee: a dead delivery gets all its tries again, is sent, and the trail names who asked for it.
test("a dead delivery is sent again with all its tries", async () => {
  const { app } = await givenInstance(platform, world.version.id, (response) => void response.end());
  const id = await given("DEAD");
  expect(await replayDeliveries(platform, world.member, { deliveryIds: [id] })).toEqual({
    replayed: 1,
    skipped: 0,
  });
  expect(await stateOf(id)).toMatchObject({
    state: "PENDING",
    attemptCount: 0,
    interruptions: 0,
    settledAt: null,
    reason: "It failed.",
  });
  expect(await sendDueDeliveries(platform)).toBe(1);
  expect(app.received).toHaveLength(1);
  expect(await stateOf(id)).toMatchObject({ state: "DELIVERED", attemptCount: 1, reason: null });
  expect(one(await platform.db.select().from(audit))).toMatchObject({
    chain: world.member.organization.id,
    actor: `user:${world.member.userId}`,
    action: "delivery.replay",
    subject: `installation:${world.installation.id}`,
    details: { count: 1, deliveryIds: [id] },
  });
});

test("of a selection, only dead deliveries are sent again, and a second replay finds none", async () => {
  const [dead, pending, delivered, ended] = [
    await given("DEAD"),
    await given("PENDING"),
    await given("DELIVERED"),
    await given("ENDED"),
  ];
  const deliveryIds = [dead, pending, delivered, ended, world.installation.id];
  const replay = () => replayDeliveries(platform, world.member, { deliveryIds });
  const both = await Promise.all([replay(), replay()]);
  expect(both.map(({ replayed }) => replayed).sort()).toEqual([0, 1]);
  expect(both.map(({ skipped }) => skipped).sort()).toEqual([4, 5]);
  expect(await stateOf(delivered)).toMatchObject({ state: "DELIVERED" });
  expect(await platform.db.$count(audit)).toBe(1);
});

test("a delivered event is only sent again by itself, and by explicit choice", async () => {
  const [one, other] = [await given("DELIVERED"), await given("DELIVERED")];
  const replay = (deliveryIds: string[]) =>
    replayDeliveries(platform, world.member, { deliveryIds, delivered: true });
  await expect(replay([one, other])).rejects.toMatchObject({ code: "BAD_INPUT" });
  expect(await replay([one])).toMatchObject({ replayed: 1 });
});

// Guarantee: nobody can send the events of another organization again.
test("deliveries of another organization are not there", async () => {
  const id = await given("DEAD");
  const stranger = await givenMember(platform, "alpine");
  expect(await replayDeliveries(platform, stranger, { deliveryIds: [id] })).toMatchObject({
    replayed: 0,
    skipped: 1,
  });
  expect(await stateOf(id)).toMatchObject({ state: "DEAD" });
});

// Guarantee: publishers send nothing to production apps, also not as part of a selection.
test("a publisher replays deliveries to Test Launches only", async () => {
  const ids = [await given("DEAD"), await given("DEAD")];
  const publisher = await givenMember(platform, "harbor", "publisher");
  const replay = () => replayDeliveries(platform, publisher, { deliveryIds: ids });
  await expect(replay()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  for (const id of ids) expect(await stateOf(id)).toMatchObject({ state: "DEAD" });
  await platform.db.update(installations).set({ test: true });
  expect(await replay()).toMatchObject({ replayed: 2 });
});

// Guarantee: a replay never creates a delivery that waits forever.
test.each([
  ["whose route takes no more events", () => platform.db.update(routes).set({ endedAt: new Date() })],
  ["of an uninstalled app", () => platform.db.update(installations).set({ state: "UNINSTALLED" })],
])("a dead delivery %s stays dead", async (_which, change) => {
  const id = await given("DEAD");
  await change();
  expect(await replayDeliveries(platform, world.member, { deliveryIds: [id] })).toEqual({
    replayed: 0,
    skipped: 1,
  });
  expect(await stateOf(id)).toMatchObject({ state: "DEAD" });
});

// Guarantee: a replay is sent as soon as it can be, by itself, and uses no try until then.
test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
  [
    "of a stopped app",
    () => platform.db.update(installations).set({ state: "STOPPED" }),
    () => platform.db.update(installations).set({ state: "RUNNING" }),
  ],
  [
    "while no instance is ready",
    () => platform.db.update(instances).set({ state: "STARTING" }),
    () => platform.db.update(instances).set({ state: "READY" }),
  ],
  [
    "while its type is paused",
    () => platform.db.insert(typeBreakers).values({ ...PAUSED(), eventType: "policy.issued" }),
    () => platform.db.update(typeBreakers).set({ probeAt: new Date(0) }),
  ],
  [
    "while the app is paused",
    () => platform.db.insert(breakers).values(PAUSED()),
    () => platform.db.update(breakers).set({ probeAt: new Date(0) }),
  ],
])("a replay %s waits, and is sent afterwards", async (_when, begin, end) => {
  const { app } = await givenInstance(platform, world.version.id, (response) => void response.end());
  const ids = [await given("DEAD"), await given("DEAD"), await given("DEAD")];
  await begin();
  expect(await replayDeliveries(platform, world.member, { deliveryIds: ids })).toMatchObject({ replayed: 3 });
  expect(await sendDueDeliveries(platform)).toBe(0);
  for (const id of ids) expect(await stateOf(id)).toMatchObject({ state: "PENDING", attemptCount: 0 });
  await end();
  while ((await sendDueDeliveries(platform)) > 0);
  for (const id of ids) expect(await stateOf(id)).toMatchObject({ state: "DELIVERED", attemptCount: 1 });
  expect(new Set(app.received.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
});

const PAUSED = () => ({
  installationId: world.installation.id,
  state: "OPEN" as const,
  failures: 10,
  openings: 4,
  openedAt: new Date(),
  probeAt: new Date(Date.now() + 30_000),
});

test("a delivered event that is replayed twice at once is sent once more, with the same id", async () => {
  const { app } = await givenInstance(platform, world.version.id, (response) => void response.end());
  const id = await given("DELIVERED");
  const replay = () => replayDeliveries(platform, world.member, { deliveryIds: [id], delivered: true });
  const both = await Promise.all([replay(), replay(), replay()]);
  expect(both.map(({ replayed }) => replayed).toSorted()).toEqual([0, 0, 1]);
  expect(await sendDueDeliveries(platform)).toBe(1);
  expect(await sendDueDeliveries(platform)).toBe(0);
  expect(app.received).toHaveLength(1);
});

// Guarantee: nothing is sent twice because it was replayed in the wrong moment.
test("a delivery that is being sent can't be replayed, and one that fails again keeps its tries", async () => {
  const id = await given("DEAD");
  const replay = () => replayDeliveries(platform, world.member, { deliveryIds: [id], delivered: true });
  const during: unknown[] = [];
  await givenInstance(platform, world.version.id, async (response) => {
    during.push(await replay());
    response.writeHead(500).end();
  });
  expect(await replay()).toMatchObject({ replayed: 1 });
  await sendDueDeliveries(platform);
  expect(during).toEqual([{ replayed: 0, skipped: 1 }]);
  expect(await stateOf(id)).toMatchObject({ state: "PENDING", attemptCount: 1 });
  expect(await replay()).toMatchObject({ replayed: 0 });
});
