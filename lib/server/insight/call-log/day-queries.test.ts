import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { HOUR_MS } from "@/lib/domain/calls/call-range";
import { HOURS_OF_DAY } from "@/lib/domain/insight/calls-of-day";
import { givenCallWorld } from "@/tests/given-calls";
import { testPlatform } from "@/tests/test-platform";
import { countHours } from "./count-hours";
import { selectCallsOfDay, selectLastCalls } from "./day-queries";

const platform = await testPlatform();

const OWN = sql`
  select id, organization_id, id::text as key, null::timestamptz as since, null::timestamptz as until from installations`;

// Guarantee: calls are counted once, whether their hour is counted already or not, and each for its own installation.
test("a day is the same before and after its hours are counted", async () => {
  const { call, production, launch } = await givenCallWorld(platform);
  const id = production.installation.id;
  for (let hours = 0; hours < HOURS_OF_DAY + 6; hours += 1) {
    await call("webhook", { ago: hours * HOUR_MS, eventType: hours % 2 === 0 ? "policy.issued" : null });
    await call("autofill", { ago: hours * HOUR_MS, failure: hours % 3 === 0 ? "It returned 500." : null });
    await call("autofill", { ago: hours * HOUR_MS, given: launch, test: true });
  }
  const read = () => selectCallsOfDay(platform.db, OWN, { withTests: true });
  const before = await read();
  expect(before.get(id)).toMatchObject({ calls: 2 * HOURS_OF_DAY, failed: HOURS_OF_DAY / 3 });
  expect(before.get(id)?.hours.at(-1)).toEqual({ calls: 2, failed: 1 });
  expect(before.get(launch.installation.id)).toMatchObject({ calls: HOURS_OF_DAY, failed: 0 });

  expect(await countHours(platform)).toBeGreaterThan(HOURS_OF_DAY);
  expect(await read()).toEqual(before);
  const production2 = await selectCallsOfDay(platform.db, OWN, { withTests: false });
  expect([...production2.keys()]).toEqual([id]);
});

test("the last call of each installation, however old", async () => {
  const { call, production, launch } = await givenCallWorld(platform, "alpine");
  const ids = [production.installation.id, launch.installation.id];
  await call("webhook", { ago: 80 * HOUR_MS });
  await call("webhook", { ago: 70 * HOUR_MS });
  const last = await selectLastCalls(platform.db, ids);
  expect([...last.keys()]).toEqual([production.installation.id]);
  const age = Date.now() - (last.get(production.installation.id)?.getTime() ?? 0);
  expect(age).toBeGreaterThanOrEqual(70 * HOUR_MS);
  expect(age).toBeLessThan(71 * HOUR_MS);
  expect(await selectLastCalls(platform.db, [])).toEqual(new Map());
});
