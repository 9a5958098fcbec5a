import { expect, test } from "vitest";
import { tenants } from "@/drizzle/schema/tenants";
import type { ConnectionTest } from "@/lib/contract/core";
import { givenMember, givenTenant, testPlatform } from "@/tests/test-platform";
import { listTenants, type TenantQuery } from "./list-tenants";

const platform = await testPlatform();

async function givenTenants(names: readonly string[], organization = "harbor") {
  const owner = await givenMember(platform, organization);
  await platform.db.insert(tenants).values(
    names.map((name) => ({
      organizationId: owner.organization.id,
      name,
      hostName: `${name.toLowerCase()}.core.example`,
      coreApiUrl: "http://core.example",
      coreCredentialHash: `${organization}/${name}`,
      connection: testOf(name),
    })),
  );
  const list = async (query: TenantQuery) => {
    const { tenants: found, next } = await listTenants(platform, owner, query);
    return { names: found.map(({ name }) => name), next };
  };
  return { owner, list };
}

/** Those that begin with an F failed, those with a U were never tested. */
function testOf(name: string): ConnectionTest | null {
  if (name.startsWith("U")) return null;
  return {
    ok: !name.startsWith("F"),
    steps: [],
    testedAt: "2026-11-21T10:00:00.000Z",
    durationMs: 1,
    products: [],
  };
}

// Guarantee: the pages of the list make up the whole list, in the order of the names.
test("pages follow each other without a gap or a double", async () => {
  const names = Array.from({ length: 65 }, (_, at) => `Tenant ${String(at).padStart(2, "0")}`);
  const { list } = await givenTenants(names.toReversed());
  const first = await list({});
  const second = await list({ after: first.next });
  const third = await list({ after: second.next });
  expect([...first.names, ...second.names, ...third.names]).toEqual(names);
  expect([first.names.length, third.names.length, third.next]).toEqual([30, 5, undefined]);
});

test("a search looks in names and host names, and the filter at the last test", async () => {
  const { list } = await givenTenants(["Canada", "France", "Uganda"]);
  expect((await list({ search: "anad" })).names).toEqual(["Canada"]);
  expect((await list({ search: "UGANDA.core" })).names).toEqual(["Uganda"]);
  expect((await list({ connection: "connected" })).names).toEqual(["Canada"]);
  expect((await list({ connection: "failed" })).names).toEqual(["France"]);
  expect((await list({ connection: "untested" })).names).toEqual(["Uganda"]);
  expect((await list({ connection: "failed", search: "anad" })).names).toEqual([]);
  expect((await list({ connection: "nonsense" })).names).toHaveLength(3);
});

test("another organization's tenants are in no list, and its ids are no cursors", async () => {
  const { list } = await givenTenants(["Canada", "France"]);
  const stranger = await givenMember(platform, "alpine");
  const { tenant } = await givenTenant(platform, stranger);
  expect((await list({})).names).toEqual(["Canada", "France"]);
  expect((await list({ after: tenant.id })).names).toEqual(["Canada", "France"]);
});
