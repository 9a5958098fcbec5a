import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { expect, test } from "vitest";
import { v7 } from "uuid";
import { memberships } from "@/drizzle/schema/accounts";
import { attempts } from "@/drizzle/schema/calls";
import { manifestDrafts } from "@/drizzle/schema/catalog";
import { installations, upgrades } from "@/drizzle/schema/installations";
import {
  givenInstallation,
  givenInstalledApp,
  givenListing,
  givenMember,
  givenTenant,
  givenVersion,
  testPlatform,
} from "@/tests/test-platform";
import { readAppHistory } from "../insight/health/read-history";
import { readInstances } from "../runtime/scale-app";
import { readHome } from "./read-home";
import { readCustomers, readOwnApp, readOwnOverview, readOwnVersions } from "./read-own-listing";
import { readOwnListings } from "./read-own-listings";

const platform = await testPlatform();

type OwnListing = Awaited<ReturnType<typeof readOwnApp>>["listing"];

interface Called {
  id: string;
  organizationId: string;
}

const call = ({ id, organizationId }: Called, changes: Partial<typeof attempts.$inferInsert> = {}) =>
  platform.db.insert(attempts).values({
    ...{ organizationId, installationId: id, routeId: v7(), kind: "webhook", target: "POST /events" },
    ...changes,
  });

const FAILED = { failure: "It returned 500." };

/** Two customers, an installation of the publisher itself, and a Test Launch. */
async function givenUse() {
  const { publisher, version, installation: first } = await givenInstalledApp(platform);
  const other = await givenMember(platform, "alpine");
  const launch = async (member: typeof other, hostName: string) => {
    const { tenant } = await givenTenant(platform, member, hostName, hostName);
    return (await givenInstallation(platform, member, version, tenant.id)).installation;
  };
  const second = await launch(other, "alpine.core.example");
  const own = await launch(publisher, "own.core.example");
  const test = await launch(other, "alpine-test.core.example");
  await platform.db.update(installations).set({ test: true }).where(eq(installations.id, test.id));
  const { listing } = await readOwnApp(platform, publisher, "vin-lookup");
  return { publisher, listing, version, first, second, own, test };
}

// Guarantee: nobody moves the figures of their own app, and no page names a customer.
test("customers are other organizations' installations, with their calls and without their names", async () => {
  const { listing, first, second, own, test } = await givenUse();
  await call(first);
  await call(first, { test: true });
  for (const each of [second, own, test]) await call(each, FAILED);
  const read = (query: Parameters<typeof readCustomers>[2]) => readCustomers(platform, listing, query);
  const page = await read({});
  expect(page).toMatchObject({
    total: 2,
    customers: { installations: 2, organizations: 2 },
    rows: [
      { id: second.id, number: "1.4.0", day: { calls: 1, failed: 1 } },
      { id: first.id, number: "1.4.0", day: { calls: 1, failed: 0 } },
    ],
  });
  expect(JSON.stringify(page)).not.toMatch(/alpine|harbor|core\.example/);
  const ids = async (query: Parameters<typeof readCustomers>[2]) =>
    (await read(query)).rows.map(({ id }) => id);
  expect(await ids({ sort: "oldest" })).toEqual([first.id, second.id]);
  expect(await ids({ sort: "failed" })).toEqual([second.id, first.id]);
  await call(first);
  expect(await ids({ sort: "calls" })).toEqual([first.id, second.id]);
  expect(await ids({ q: first.id.slice(-6).toUpperCase() })).toEqual([first.id]);
  expect(await ids({ q: "1.4" })).toHaveLength(2);
  expect(await ids({ q: "alpine" })).toEqual([]);
  expect(await ids({ after: "1", sort: "calls" })).toEqual([second.id]);
  for (const sort of ["newest", "oldest", "version"])
    expect(await ids({ after: "1", sort }), sort).toHaveLength(2);
  await platform.db.update(installations).set({ state: "UNINSTALLED" }).where(eq(installations.id, first.id));
  expect(await read({})).toMatchObject({ total: 1, customers: { installations: 1, organizations: 1 } });
});

// Guarantee: what happens between two pages neither skips nor repeats a row.
test("versions and customers that are new between two pages move no row", async () => {
  const { publisher, version } = await givenInstalledApp(platform);
  const { listing } = await readOwnApp(platform, publisher, "vin-lookup");
  for (let minor = 5; minor < 28; minor += 1) await givenVersion(platform, version, `1.${minor}.0`);
  const customer = await givenMember(platform, "alpine");
  const launch = async (hostName: string) => {
    const { tenant } = await givenTenant(platform, customer, hostName, hostName);
    return (await givenInstallation(platform, customer, version, tenant.id)).installation;
  };
  for (let number = 0; number < 23; number += 1) await launch(`core-${number}.example`);
  const reads = {
    versions: async (sort: string, after?: string) => {
      const page = await readOwnVersions(platform, publisher, listing, { sort, after });
      return { ...page, rows: page.versions };
    },
    customers: (sort: string, after?: string) => readCustomers(platform, listing, { sort, after }),
  };
  const lists = [
    ...["newest", "oldest", "highest", "lowest"].map((sort) => ["versions", sort] as const),
    ...["newest", "oldest", "version"].map((sort) => ["customers", sort] as const),
  ];
  const ids = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);
  const before = await Promise.all(lists.map(([list, sort]) => reads[list](sort)));
  const rest = await Promise.all(
    lists.map(([list, sort], index) => reads[list](sort, before[index]?.pages.next)),
  );
  await givenVersion(platform, version, "1.3.0");
  await givenVersion(platform, version, "2.0.0");
  await launch("new.core.example");
  for (const [index, [list, sort]] of lists.entries()) {
    const page = await reads[list](sort, before[index]?.pages.next);
    const what = `${list} by ${sort}`;
    expect(page.total, what).toBe(list === "versions" ? 26 : 25);
    expect(ids(page).slice(0, 4), what).toEqual(ids(rest[index] ?? page));
    expect(ids(await reads[list](sort, page.pages.previous)), what).toEqual(ids(before[index] ?? page));
  }
  expect(ids(await reads.versions("lowest", `${version.id}~x`))).toEqual(ids(await reads.versions("lowest")));
});

test("an organization that shares a person with the publisher is not a customer on any of its pages", async () => {
  const { publisher, listing, first, second } = await givenUse();
  await call(second, FAILED);
  await platform.db
    .insert(memberships)
    .values({ organizationId: second.organizationId, userId: publisher.userId, role: "operator" });
  const customers = { installations: 1, organizations: 1 };
  expect(await readCustomers(platform, listing, {})).toMatchObject({
    ...{ customers, total: 1, rows: [{ id: first.id }] },
  });
  expect(await readOwnOverview(platform, publisher, listing)).toMatchObject({
    ...{ customers, inUse: { versions: [{ installations: 1, day: { calls: 0, failed: 0 } }] } },
  });
  const row = { customers: 1, day: { calls: 0, failed: 0 } };
  expect((await readOwnListings(platform, publisher, {})).rows).toMatchObject([row]);
  expect((await readHome(platform, publisher)).organization?.listings.rows).toMatchObject([row]);
});

// Guarantee: a release is not blamed for the failures of the version before it.
test("failures belong to the version that the customer used then", async () => {
  const { publisher, listing, version, first, own } = await givenUse();
  const newer = await givenVersion(platform, version, "1.5.0");
  await call(first, { ...FAILED, startedAt: new Date(Date.now() - 60_000) });
  await platform.db.update(installations).set({ versionId: newer.id }).where(eq(installations.id, first.id));
  await platform.db.insert(upgrades).values({
    ...{ installationId: first.id, fromVersionId: version.id, toVersionId: newer.id },
    ...{ fromRevision: 1, toRevision: 1, state: "DONE", createdBy: first.createdBy },
    switchedAt: new Date(Date.now() - 30_000),
  });
  await call(first);
  await call(own, FAILED);
  const { inUse, customers } = await readOwnOverview(platform, publisher, listing);
  expect(customers).toEqual({ installations: 2, organizations: 2 });
  expect(inUse).toMatchObject({
    more: 0,
    versions: [
      { number: "1.5.0", installations: 1, day: { calls: 1, failed: 0 } },
      { number: "1.4.0", installations: 1, day: { calls: 1, failed: 1 } },
    ],
  });
});

// Guarantee: the overview says what is next of a public app, too, and of no other.
test("a public app's overview has the drafts that were not released, as Home does", async () => {
  const { publisher, listing, version } = await givenUse();
  const other = await givenListing(platform, publisher, { appName: "other" });
  const read = async (found: OwnListing) =>
    (await readOwnOverview(platform, publisher, found)).unreleased.map(({ href }) => href);
  expect(await read(listing)).toEqual([]);
  const draft = { text: "{", updatedBy: "user:x", baseVersionId: version.id };
  await platform.db.insert(manifestDrafts).values({ listingId: listing.id, ...draft });
  expect(await read(listing)).toEqual(["/publish/vin-lookup/manifest"]);
  const { listing: apart } = await readOwnApp(platform, publisher, other.listing.appName);
  expect(await read(apart)).toEqual([]);
  expect((await readHome(platform, publisher)).organization?.listings.rows[0]?.notes).toMatchObject([
    { href: "/publish/vin-lookup/manifest" },
  ]);
});

// Guarantee: with the session's, a page costs at most 20 statements.
test("each tab costs few statements, however much there is to show", async () => {
  const { publisher, version } = await givenUse();
  await platform.pool.query(
    `insert into instances (id, version_id, runtime, state, reason_code, reason, ended_at, log_tail)
     values (gen_random_uuid(), $1, 'docker', 'FAILED', 'EXITED', 'It exited.', now(), 'the end')`,
    [version.id],
  );
  const statements: string[] = [];
  const db = drizzle(platform.pool, { logger: { logQuery: (query) => void statements.push(query) } });
  const counted = { ...platform, db };
  const count = async (read: (listing: OwnListing) => Promise<unknown>) => {
    statements.length = 0;
    const { listing } = await readOwnApp(counted, publisher, "vin-lookup");
    await read(listing);
    return statements.length;
  };
  expect(
    await count((listing) =>
      Promise.all([
        readOwnOverview(counted, publisher, listing),
        readInstances(counted, listing.id),
        readAppHistory(counted, publisher, listing.id),
      ]),
    ),
  ).toBeLessThanOrEqual(19);
  expect(await count((listing) => readCustomers(counted, listing, { sort: "failed" }))).toBeLessThanOrEqual(
    19,
  );
  expect(await count((listing) => readOwnVersions(counted, publisher, listing, {}))).toBeLessThanOrEqual(19);
});
