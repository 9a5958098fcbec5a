import { expect, test } from "vitest";
import type { CallFilter } from "@/lib/contract/calls/call-filter";
import { givenCallWorld } from "@/tests/given-calls";
import { testPlatform } from "@/tests/test-platform";
import { findInstallations, listCalls, listScopes } from "./list-calls";

const platform = await testPlatform();
const MINUTE = 60_000;

async function givenCalls() {
  const world = await givenCallWorld(platform);
  const { call, delivery, launch, customer } = world;
  const ids = {
    slow: await call("autofill", { ago: 50 * MINUTE, durationMs: 900, eventType: "newBusiness.created" }),
    rater: await call("rater", { ago: 40 * MINUTE }),
    refused: await call("autofill", {
      ago: 30 * MINUTE,
      status: 502,
      failure: "It returned 502: 100%_done.",
    }),
    launched: await call("autofill", { ago: 20 * MINUTE, given: launch }),
    console: await call("rater", { ago: 10 * MINUTE, test: true }),
    open: await call("lifecycle", {
      ago: 5 * MINUTE,
      durationMs: null,
      status: null,
      target: "GET /_app/start",
    }),
  };
  const dead = await delivery("DEAD", { ago: 3 * MINUTE, type: "policy.cancelled" });
  const waiting = await delivery("PENDING", { ago: 2 * MINUTE });
  const show = async (filter: CallFilter) =>
    (await listCalls(platform, customer, filter)).calls.map(({ id }) => id);
  return { ...world, ids, dead, waiting, show };
}

// Guarantee: each filter shows its calls and no other.
test("filters", async () => {
  const { ids, dead, waiting, show, production, launch } = await givenCalls();
  const all = [waiting.attemptId, dead.attemptId, ...Object.values(ids).reverse()];
  const failures = [waiting.attemptId, dead.attemptId, ids.refused];
  const cases: [CallFilter, string[]][] = [
    [{}, all],
    [{ state: "failed" }, failures],
    [{ state: "succeeded" }, [ids.console, ids.launched, ids.rater, ids.slow]],
    [{ state: "open" }, [ids.open]],
    [{ state: "dead" }, [dead.id]],
    [{ state: "waiting" }, [waiting.id]],
    [{ state: "dead", event: "policy.cancelled" }, [dead.id]],
    [{ state: "dead", event: "policy.issued" }, []],
    [{ state: "dead", kind: "rater" }, []],
    [{ state: "dead", last: "1h", q: "500" }, [dead.id]],
    [{ kind: "rater" }, [ids.console, ids.rater]],
    [{ path: "/rate" }, [ids.console, ids.rater]],
    [{ path: "/no-such-path" }, []],
    [{ installation: launch.installation.id }, [ids.launched]],
    [{ installation: production.installation.id, kind: "autofill" }, [ids.refused, ids.slow]],
    [{ source: "launches" }, [ids.launched]],
    [{ source: "console" }, [ids.console]],
    [{ source: "production", kind: "autofill" }, [ids.refused, ids.slow]],
    [{ app: "harbor/vin-lookup" }, all],
    [{ app: "harbor/vin-lookup", source: "launches" }, [ids.launched]],
    [{ app: "harbor/another" }, []],
    [{ event: "newBusiness" }, [ids.slow]],
    [{ slower: 900 }, [ids.slow]],
    [{ slower: 901 }, []],
    [{ q: "100%_d" }, [ids.refused]],
    [{ q: "POST /rate" }, [ids.console, ids.rater]],
    [{ q: "policy.canc" }, [dead.attemptId]],
    [{ from: new Date(Date.now() - 15 * MINUTE).toISOString(), kind: "rater" }, [ids.console]],
    [{ to: new Date(Date.now() - 45 * MINUTE).toISOString() }, [ids.slow]],
    [{ last: "1h" }, all],
  ];
  for (const [filter, expected] of cases)
    expect(await show(filter), JSON.stringify(filter)).toEqual(expected);
});

test("a row says what is needed to tell calls apart", async () => {
  const { customer, dead, waiting } = await givenCalls();
  const [row] = (await listCalls(platform, customer, { state: "dead" })).calls;
  expect(row).toMatchObject({
    id: dead.id,
    attemptId: dead.attemptId,
    target: "POST /events",
    eventType: "policy.cancelled",
    failure: "It returned 500.",
    installation: { title: "VIN lookup", tenant: "Production", test: false },
    delivery: { id: dead.id, state: "DEAD", attemptCount: 1 },
  });
  const [newest] = (await listCalls(platform, customer, {})).calls;
  expect(newest).toMatchObject({ id: waiting.attemptId, delivery: { state: "PENDING" } });
});

// Guarantee: paging shows each call once, in order, even while new ones arrive.
test("pages", async () => {
  const { customer, call } = await givenCallWorld(platform);
  const expected: string[] = [];
  for (let index = 120; index > 0; index--) expected.unshift(await call("autofill", { ago: index * 1_000 }));
  const seen: string[] = [];
  let before: string | undefined;
  do {
    const { calls, next } = await listCalls(platform, customer, {}, before);
    seen.push(...calls.map(({ id }) => id));
    before = next;
    await call("autofill");
  } while (before !== undefined);
  expect(seen).toEqual(expected);
});

// Guarantee: what belongs to another organization looks absent, whatever the filter names.
test("calls of other organizations are never listed", async () => {
  const { production, show } = await givenCalls();
  const { customer: stranger } = await givenCallWorld(platform, "alpine");
  await expect(
    listCalls(platform, stranger, { installation: production.installation.id }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const filter of [{}, { app: "harbor/vin-lookup" }, { state: "dead" }, { path: "/rate" }] as const)
    expect((await listCalls(platform, stranger, filter)).calls).toEqual([]);
  expect((await show({})).length).toBe(8);
  await expect(listCalls(platform, stranger, {}, "x'--")).rejects.toMatchObject({ code: "BAD_INPUT" });
});

// Guarantee: an organization with many installations can narrow the log to each of them, and the page doesn't send them all.
test("of many installations, a page has the one that its filter names, and a search finds the others", async () => {
  const { customer, production, launch } = await givenCallWorld(platform);
  const few = await listScopes(platform, customer, {});
  expect(few).toMatchObject({ more: false, apps: [{ name: "harbor/vin-lookup" }] });
  expect(few.installations.map(({ id }) => id).sort()).toEqual(
    [production.installation.id, launch.installation.id].sort(),
  );
  await platform.pool.query(
    `with added as (
       insert into tenants (id, organization_id, name, host_name, core_api_url)
       select gen_random_uuid(), $1, 'Branch ' || n, 'branch-' || n || '.example', 'http://127.0.0.1:9' from generate_series(1, 60) n
       returning id)
     insert into installations (id, organization_id, tenant_id, listing_id, version_id, test, created_by)
     select gen_random_uuid(), i.organization_id, added.id, i.listing_id, i.version_id, false, i.created_by
       from added, installations i where i.id = $2`,
    [customer.organization.id, production.installation.id],
  );
  const { installations: none, more } = await listScopes(platform, customer, {});
  expect([none, more]).toEqual([[], true]);
  const named = await listScopes(platform, customer, { installation: launch.installation.id });
  expect(named.installations.map(({ id }) => id)).toEqual([launch.installation.id]);
  const find = async (typed?: string, app?: string) => findInstallations(platform, customer, typed, app);
  expect(await find()).toMatchObject({ more: true });
  expect((await find()).options).toHaveLength(50);
  expect((await find("branch 60")).options.map(({ detail }) => detail)).toEqual(["Branch 60"]);
  expect((await find("branch 60", "harbor/vin-lookup")).options).toHaveLength(1);
  expect((await find("branch 60", "acme/other")).options).toEqual([]);
});
