import { expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { countRowsRead } from "@/tests/rows-read";
import { givenInstalledApp, testPlatform } from "@/tests/test-platform";
import { hasUnfinishedHook, selectLastHook } from "./route-queries";

const platform = await testPlatform();

// Guarantee: whether a hook ran, and whether one is still open, follows from the attempts alone.
test("the last hook that ended, and the hook that has not", async () => {
  const { customer: member, installation, route } = await givenInstalledApp(platform);
  const { id: routeId } = route("lifecycle");
  const call = { organizationId: member.organization.id, installationId: installation.id, routeId };
  expect(await selectLastHook(platform.db, installation.id)).toBeUndefined();

  await platform.db.insert(attempts).values([
    { ...call, kind: "lifecycle", hook: "install", target: "GET /_app/install?route=x" },
    { ...call, kind: "lifecycle", hook: "start", target: "GET /_app/start?route=/_app/stop?", durationMs: 1 },
    { ...call, kind: "webhook", target: "POST /_app/stop?" },
  ]);

  expect(await selectLastHook(platform.db, installation.id)).toBe("start");
  expect(await hasUnfinishedHook(platform.db, installation.id, "install")).toBe(true);
  expect(await hasUnfinishedHook(platform.db, installation.id, "start")).toBe(false);
});

// Guarantee: an installation with many calls is stopped and uninstalled as fast as any other.
test("hooks are found without reading the calls since", async () => {
  const { customer: member, installation, route } = await givenInstalledApp(platform);
  await platform.pool.query(
    `insert into attempts (id, organization_id, installation_id, route_id, kind, hook, target, duration_ms)
     select uuidv7(make_interval(mins => -n)), $1, $2, $3, case n when 10000 then 'lifecycle' else 'autofill' end::route_kind,
            case n when 10000 then 'start' end::lifecycle_event, 'POST /x', 5
       from generate_series(1, 10000) n`,
    [member.organization.id, installation.id, route("lifecycle").id],
  );
  await platform.pool.query("analyze attempts");
  const read = (work: Parameters<typeof countRowsRead>[2]) => countRowsRead(platform, "attempts", work);
  const ofLast = await read(async (tx) => expect(await selectLastHook(tx, installation.id)).toBe("start"));
  const ofUnfinished = await read(async (tx) =>
    expect(await hasUnfinishedHook(tx, installation.id, "install")).toBe(false),
  );
  // The planner looks at the ends of an index, too.
  expect(Math.max(ofLast, ofUnfinished)).toBeLessThan(20);
});
