import { expect, test } from "vitest";
import { tenants } from "@/drizzle/schema/installations-tenants";
import type { ConnectionTest } from "@/lib/contract/platform/core";
import { givenMember, givenTenant, testPlatform } from "@/tests/test-platform";
import { listTenants, type TenantQuery } from "./read-tenants";

const platform = await testPlatform();

async function givenTenants(names: readonly string[], organization = "harbor") {
  const owner = await givenMember(platform, organization);
  await platform.db.insert(tenants).values(
    names.map((name) => ({
      organizationId: owner.organization.id,
      name,
      hostName: `${name.toLowerCase()}.core.example`,
      coreApiUrl: "http://core.example",
      connection: fakeTest(name),
    })),
  );
  const list = async (query: TenantQuery) => {
    const { tenants: found, next, previous, ...rest } = await listTenants(platform, owner, query);
    return { names: found.map(({ name }) => name), next, previous, ...rest };
  };
  return { owner, list };
}

/** Names with an F: the test failed. Names with a U: never tested. */
function fakeTest(name: string): ConnectionTest | null {
  if (name.startsWith("U")) return null;
  return {
    ok: !name.startsWith("F"),
    steps: [],
    testedAt: "2026-11-21T10:00:00.000Z",
    durationMs: 1,
    products: [],
  };
}

// Guarantee: how a name is written is no reason not to find it.
test("a search makes no difference between accents, width and hyphens, and takes every character literally", async () => {
  const { list } = await givenTenants(["Zürich E-Mail", "Zurich Email", "100%_a", "Łódź Straße"]);
  for (const search of ["zürich", "ZURICH", "email", "e-mail", "ｅｍａｉｌ", "h e-m"])
    expect((await list({ search })).names, search).toEqual(["Zurich Email", "Zürich E-Mail"]);
  for (const search of ["lodz", "ŁÓDŹ strasse", "STRASSE lodz", "stra\u00ADße"])
    expect((await list({ search })).names, search).toEqual(["Łódź Straße"]);
  expect((await list({ search: "0%_" })).names).toEqual(["100%_a"]);
  expect((await list({ search: "%" })).names).toEqual(["100%_a"]);
});

// Guarantee: the pages together are the whole list, ordered by name.
test("pages have no gaps and no duplicates", async () => {
  const names = Array.from({ length: 65 }, (_, at) => `Tenant ${String(at).padStart(2, "0")}`);
  const { list } = await givenTenants(names.toReversed());
  const first = await list({});
  const second = await list({ after: first.next });
  const third = await list({ after: second.next });
  expect([...first.names, ...second.names, ...third.names]).toEqual(names);
  expect([first.names.length, third.names.length, third.next]).toEqual([30, 5, undefined]);
  expect([first.total, third.total, (await list({ search: "64 tenant" })).total]).toEqual([65, 65, 1]);
});

test("the newest tenants come first on demand, page by page", async () => {
  const names = Array.from({ length: 35 }, (_, at) => `Tenant ${String(at).padStart(2, "0")}`);
  const { list } = await givenTenants(names);
  await platform.pool.query(
    "update tenants set created_at = now() + make_interval(secs => right(name, 2)::int)",
  );
  const first = await list({ sort: "newest" });
  const second = await list({ sort: "newest", after: first.next });
  expect([...first.names, ...second.names]).toEqual(names.toReversed());
  expect((await list({ sort: "newest", after: second.previous })).names).toEqual(first.names);
  // A name isn't a moment.
  expect((await list({ sort: "newest", after: (await list({})).next })).isFirst).toBe(true);
});

// Guarantee: the way back shows every row, also those that were added or deleted meanwhile, and ends at a full first page.
test("previous pages have no gaps and no duplicates, whatever was added meanwhile", async () => {
  const names = Array.from({ length: 65 }, (_, at) => `Tenant ${String(at).padStart(2, "0")}`);
  const { owner, list } = await givenTenants(names);
  const second = await list({ after: (await list({})).next });
  const third = await list({ after: second.next });
  expect([second.isFirst, third.next]).toEqual([false, undefined]);
  expect((await list({ after: third.previous })).names).toEqual(second.names);
  const added = ["Aaa", "Tenant 30b", "Tenant 59b"];
  await platform.db.insert(tenants).values(
    added.map((name) => ({
      organizationId: owner.organization.id,
      name,
      hostName: `${name.replace(" ", "-").toLowerCase()}.core.example`,
      coreApiUrl: "http://core.example",
    })),
  );
  const all = [...names, ...added].sort();
  const back = await list({ after: third.previous });
  expect(back.names).toEqual(all.slice(all.indexOf("Tenant 60") - 30, all.indexOf("Tenant 60")));
  expect((await list({ after: back.next })).names[0]).toBe("Tenant 60");
  const nearest = await list({ after: back.previous });
  expect([nearest.isFirst, nearest.names.at(-1)]).toEqual([false, all[all.indexOf(back.names[0] ?? "") - 1]]);
  // Only a few rows are before that page: the first page begins with them.
  const start = await list({ after: nearest.previous });
  expect([start.isFirst, start.previous]).toEqual([true, undefined]);
  expect(start.names).toEqual(all.slice(0, 30));
});

// Guarantee: the next page continues where the last one ended, even if its last row was renamed.
test("a tenant that is renamed between two pages does not restart the list", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `Tenant ${String(at).padStart(2, "0")}`);
  const { list } = await givenTenants(names);
  const first = await list({});
  for (const renamed of ["Aaa", "Zzz"]) {
    await platform.pool.query("update tenants set name = $1 where name in ('Tenant 29', 'Aaa')", [renamed]);
    const second = await list({ after: first.next });
    expect(second.names.filter((name) => name !== "Zzz")).toEqual(names.slice(30));
  }
});

test("the search matches names and host names, the filter the last test", async () => {
  const { list } = await givenTenants(["Canada", "France", "Uganda"]);
  expect((await list({ search: "anad" })).names).toEqual(["Canada"]);
  expect((await list({ search: "UGANDA.core" })).names).toEqual(["Uganda"]);
  expect((await list({ connection: "connected" })).names).toEqual(["Canada"]);
  expect((await list({ connection: "failed" })).names).toEqual(["France"]);
  expect((await list({ connection: "untested" })).names).toEqual(["Uganda"]);
  expect((await list({ connection: "failed", search: "anad" })).names).toEqual([]);
  expect((await list({ connection: "failed", search: "an" })).counts).toEqual({
    all: 3,
    connected: 1,
    failed: 1,
    untested: 1,
  });
  expect(await list({ connection: "failed", search: "anad" })).toMatchObject({
    total: 0,
    counts: { all: 1, connected: 1, failed: 0, untested: 0 },
  });
  expect((await list({ connection: "nonsense" })).names).toHaveLength(3);
});

test("another organization's tenants are not listed, and their ids do not work as cursors", async () => {
  const { list } = await givenTenants(["Canada", "France"]);
  const stranger = await givenMember(platform, "alpine");
  const { tenant } = await givenTenant(platform, stranger);
  expect((await list({})).names).toEqual(["Canada", "France"]);
  expect((await list({ after: tenant.id })).names).toEqual(["Canada", "France"]);
});
