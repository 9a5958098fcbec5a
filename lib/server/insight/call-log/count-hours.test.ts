import { beforeEach, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { callHours } from "@/drizzle/schema/insight";
import type { CallFilter } from "@/lib/contract/calls/call-filter";
import { HOUR_MS } from "@/lib/domain/calls/call-range";
import { givenCallWorld } from "@/tests/given-calls";
import { testPlatform } from "@/tests/test-platform";
import { chartCalls } from "./chart-calls";
import { countHours } from "./count-hours";

const platform = await testPlatform();
/** In the middle of an hour. */
const now = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS / 2);
const ago = (hours: number) => Date.now() - now.getTime() + hours * HOUR_MS;

let world: Awaited<ReturnType<typeof givenCallWorld>>;
beforeEach(async () => {
  world = await givenCallWorld(platform);
});

const hours = async () => (await platform.db.select().from(callHours)).length;

/** Charts are kept for a while: each call asks for a range of its own, which begins a millisecond later. */
let asked = 0;
async function chart(filter: CallFilter) {
  const from = new Date(now.getTime() - 100 * HOUR_MS + asked++).toISOString();
  const { from: _, ...result } = await chartCalls(platform, world.customer, {
    from,
    to: now.toISOString(),
    ...filter,
  });
  return result;
}

// Guarantee: what was counted by the hour and what is counted now add up to the same chart, however it is narrowed.
test("a chart is the same before and after its hours are counted", async () => {
  const { call, production, launch } = world;
  for (let index = 0; index < 60; index++) {
    const given = index % 3 === 0 ? launch : production;
    await call(index % 2 === 0 ? "autofill" : "webhook", {
      given,
      ago: ago(0.1 + index * 1.7),
      durationMs: index % 10 === 9 ? null : index ** 2,
      failure: index % 7 === 0 ? "It returned 500." : null,
      eventType: index % 4 === 0 ? "policy.issued" : null,
      test: index % 5 === 0,
    });
  }
  const filters: CallFilter[] = [
    {},
    { kind: "autofill" },
    { event: "policy." },
    { source: "console" },
    { source: "launches" },
    { source: "production" },
    { path: "/autofill" },
    { installation: production.installation.id },
  ];
  const before = [];
  for (const filter of filters) before.push(await chart(filter));
  expect(before[0]).toMatchObject({ bucketMs: 2 * HOUR_MS, total: { calls: 59 } });
  expect(await countHours(platform, { now })).toBeGreaterThan(50);
  for (const [at, filter] of filters.entries())
    expect(await chart(filter), JSON.stringify(filter)).toEqual(before[at]);
  // The chart really reads them.
  await platform.db.delete(attempts);
  expect((await chart({})).total.calls).toBeGreaterThan(50);
});

// Guarantee: a call that is written a little late is not missing from charts.
test("an hour is counted five minutes after it is over, once", async () => {
  const { call } = world;
  await call("autofill", { ago: ago(0.75) });
  const start = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  expect(await countHours(platform, { now: new Date(start + 4 * 60_000) })).toBe(0);
  await call("rater", { ago: ago(0.6) });
  const counting = () => countHours(platform, { now: new Date(start + 6 * 60_000) });
  const both = await Promise.all([counting(), counting()]);
  expect(both.sort()).toEqual([0, 1]);
  expect(await hours()).toBe(2);
  expect(await counting()).toBe(0);
});

test("hours are removed with the calls that they counted, and hours without calls take no time", async () => {
  const { call } = world;
  await call("autofill", { ago: ago(29 * 24) });
  await call("autofill", { ago: ago(2) });
  await call("autofill", { ago: ago(40 * 24) });
  expect(await countHours(platform, { now })).toBe(2);
  const later = new Date(now.getTime() + 2 * 24 * HOUR_MS);
  await call("autofill", { ago: ago(1) });
  expect(await countHours(platform, { now: later })).toBe(1);
  expect(await hours()).toBe(2);
});
