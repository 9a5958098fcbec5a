import { inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { deliveries } from "@/drizzle/schema/calls";
import { givenCallWorld } from "@/tests/given-calls";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { replayCalls } from "./replay-calls";

const platform = await testPlatform();
const MINUTE = 60_000;

async function givenDead() {
  const world = await givenCallWorld(platform);
  const dead = {
    old: await world.delivery("DEAD", { ago: 90 * MINUTE }),
    cancelled: await world.delivery("DEAD", { ago: 5 * MINUTE, type: "policy.cancelled" }),
    launched: await world.delivery("DEAD", { ago: 4 * MINUTE, given: world.launch }),
  };
  const ids = Object.values(dead).map(({ id }) => id);
  /** The names of those that wait to be sent. */
  const replayed = async () => {
    const rows = await platform.db.select().from(deliveries).where(inArray(deliveries.id, ids));
    const pending = new Set(rows.filter(({ state }) => state === "PENDING").map(({ id }) => id));
    return Object.entries(dead).flatMap(([name, { id }]) => (pending.has(id) ? [name] : []));
  };
  return { ...world, dead, replayed };
}

// Guarantee: what the list shows is what is sent again, and nothing else.
test("a filter, a time range, and a selection", async () => {
  const { customer, dead, replayed } = await givenDead();
  const byEvent = await replayCalls(platform, customer, {
    filter: { event: "policy.canc", kind: "webhook" },
  });
  expect([byEvent, await replayed()]).toEqual([{ replayed: 1, skipped: 0, more: false }, ["cancelled"]]);
  await replayCalls(platform, customer, { filter: { last: "1h" } });
  expect(await replayed()).toEqual(["cancelled", "launched"]);
  const selected = await replayCalls(platform, customer, { deliveryIds: [dead.old.id, dead.cancelled.id] });
  expect([selected.replayed, selected.skipped]).toEqual([1, 1]);
  const none = await replayCalls(platform, customer, { filter: { q: "nothing" } });
  expect(none).toEqual({ replayed: 0, skipped: 0, more: false });
});

// Guarantee: publishers send nothing to production apps, and nobody to another organization's.
test("a publisher replays Test Launches only, a stranger nothing", async () => {
  const { dead, production, replayed } = await givenDead();
  const publisher = await givenMember(platform, "harbor", "publisher");
  const refused = { code: "NOT_ALLOWED" };
  await expect(replayCalls(platform, publisher, { deliveryIds: [dead.old.id] })).rejects.toMatchObject(
    refused,
  );
  const toProduction = { filter: { source: "production" } } as const;
  await expect(replayCalls(platform, publisher, toProduction)).rejects.toMatchObject(refused);
  const { customer: stranger } = await givenCallWorld(platform, "alpine");
  await replayCalls(platform, stranger, { filter: {} });
  expect(await replayCalls(platform, stranger, { deliveryIds: [dead.old.id] })).toMatchObject({
    replayed: 0,
  });
  const foreign = replayCalls(platform, stranger, { filter: { installation: production.installation.id } });
  await expect(foreign).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await replayed()).toEqual([]);
  await replayCalls(platform, publisher, { filter: {} });
  expect(await replayed()).toEqual(["launched"]);
});
