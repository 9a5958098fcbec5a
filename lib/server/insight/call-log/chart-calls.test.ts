import { expect, test } from "vitest";
import { attempts, routes } from "@/drizzle/schema/calls";
import { givenCallWorld } from "@/tests/given-calls";
import { testPlatform } from "@/tests/test-platform";
import { chartCalls } from "./chart-calls";

const platform = await testPlatform();
const HOUR = 3_600_000;

// Guarantee: a chart's numbers are those of the calls, in each bucket and for each route; percentiles within 4%.
test("counts, failures and percentiles by time and by route", async () => {
  const { customer, call, launch } = await givenCallWorld(platform);
  for (let index = 1; index <= 100; index++) await call("autofill", { ago: 2 * HOUR, durationMs: index });
  for (let index = 0; index < 3; index++)
    await call("rater", { ago: 4 * HOUR, durationMs: 700, failure: "It returned 500." });
  await call("rater", { given: launch, ago: HOUR, durationMs: null });
  await call("rater", { ago: 48 * HOUR });
  const chart = await chartCalls(platform, customer, {});
  expect(chart).toMatchObject({ bucketMs: HOUR / 2, partial: false, total: { calls: 104, failed: 3 } });
  expect(chart.points.length).toBeGreaterThanOrEqual(48);
  expect(chart.points.filter(({ calls }) => calls > 0)).toMatchObject([
    { calls: 3, failed: 3, p50: 721, p95: 721 },
    { calls: 100, failed: 0, p50: 49, p95: 97 },
    { calls: 1, failed: 0, p50: null, p95: null },
  ]);
  expect(chart.routes).toMatchObject([
    { kind: "autofill", path: "/autofill", calls: 100, failed: 0, p50: 49, p95: 97 },
    { kind: "rater", path: "/rate", calls: 4, failed: 3, p50: 721 },
  ]);
  const at = chart.points.findIndex(({ calls }) => calls === 100);
  expect(chart.routes[0]?.p95s[at]).toBe(97);
  const launches = await chartCalls(platform, customer, { source: "launches", state: "dead", q: "nothing" });
  expect(launches.total).toMatchObject({ calls: 1 });
});

// Guarantee: nothing is cut silently.
test("of very many routes, the busiest are listed and all are counted", async () => {
  const { customer, production } = await givenCallWorld(platform);
  const { id: installationId } = production.installation;
  const added = await platform.db
    .insert(routes)
    .values(
      Array.from({ length: 51 }, (_, at) => ({
        installationId,
        kind: "webhook" as const,
        path: `/more-${at}`,
      })),
    )
    .returning({ routeId: routes.id, path: routes.path });
  await platform.db.insert(attempts).values(
    added.map(({ routeId, path }) => ({
      ...{ organizationId: customer.organization.id, installationId, routeId, kind: "webhook" as const },
      target: `POST ${path}`,
    })),
  );
  const { routes: shown, routesInAll } = await chartCalls(platform, customer, {});
  expect([shown.length, routesInAll]).toEqual([50, 51]);
});

test("an exact range, an empty one, and another organization's installation", async () => {
  const { customer, call, production } = await givenCallWorld(platform);
  await call("autofill", { ago: HOUR / 2 });
  const from = new Date(Date.now() - HOUR).toISOString();
  const to = new Date(Date.now() - HOUR / 4).toISOString();
  expect((await chartCalls(platform, customer, { from, to })).total.calls).toBe(1);
  expect((await chartCalls(platform, customer, { from: to })).total.calls).toBe(0);
  const { customer: stranger } = await givenCallWorld(platform, "alpine");
  expect(await chartCalls(platform, stranger, { last: "1h" })).toMatchObject({
    total: { calls: 0 },
    routes: [],
  });
  const foreign = chartCalls(platform, stranger, { installation: production.installation.id });
  await expect(foreign).rejects.toMatchObject({ code: "NOT_FOUND" });
});
