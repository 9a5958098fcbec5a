import { beforeEach, expect, test } from "vitest";
import { callHours, listingDays } from "@/drizzle/schema/insight";
import { instanceEvents } from "@/drizzle/schema/runtime";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { Member } from "@/lib/domain/platform/actor";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  testPlatform,
} from "@/tests/test-platform";
import { countListingDays, readListingFigures } from "./listing-figures";

const platform = await testPlatform();
const NOW = new Date("2026-11-20T11:45:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YESTERDAY = new Date("2026-11-19T00:00:00Z");

type Given = Awaited<ReturnType<typeof givenListing>>;
type Installed = Awaited<ReturnType<typeof givenInstallation>>;

let publisher: Member;
let app: Given;
beforeEach(async () => {
  publisher = await givenMember(platform, "acme");
  app = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
});

/** At the beginning of a day, so many days before yesterday. */
async function install(member: Member, { daysAgo = 10 } = {}): Promise<Installed> {
  const { tenant } = await givenTenant(platform, member, `${member.organization.slug}.core.example`);
  const given = await givenInstallation(platform, member, app.version, tenant.id);
  await platform.pool.query("update installations set created_at = $2 where id = $1", [
    given.installation.id,
    new Date(YESTERDAY.getTime() - daysAgo * DAY),
  ]);
  return given;
}

const customer = async (slug: string) => install(await givenMember(platform, slug));

/** Calls of an hour yesterday, as the worker counted them. */
function called(
  { installation, route }: Installed,
  calls: number,
  changes: { kind?: RouteKind; test?: boolean; failed?: number; at?: Date; bucket?: number } = {},
) {
  const {
    kind = "autofill",
    test = false,
    failed = 0,
    at = new Date(YESTERDAY.getTime() + 3 * HOUR),
  } = changes;
  return platform.db.insert(callHours).values({
    hour: at,
    organizationId: installation.organizationId,
    installationId: installation.id,
    routeId: route(kind).id,
    test,
    eventType: "",
    latencies: [changes.bucket ?? 60],
    calls: [calls],
    failed: [failed],
  });
}

const figures = () => readListingFigures(platform, app.listing.id, NOW);
const usedBy = async () =>
  (
    await platform.pool.query<{ used_by: number }>("select used_by from listings where id = $1", [
      app.listing.id,
    ])
  ).rows[0]?.used_by;

// Guarantee: what a listing tells was measured at its customers, and its publisher can't move it.
test("calls of customers count; those of the publisher, tests, hooks and endpoints don't", async () => {
  const harbor = await customer("harbor");
  await called(harbor, 150, { failed: 3 });
  await called(harbor, 10_000, { test: true, failed: 10_000 });
  await called(harbor, 10_000, { kind: "lifecycle", failed: 10_000 });
  const own = await install(publisher);
  await called(own, 10_000, { bucket: 1 });
  expect(await countListingDays(platform, { now: NOW })).toBe(1);
  const { calls } = await figures();
  expect(calls?.failedShare).toBeCloseTo(0.02);
  expect(calls?.medianMs).toBe(Math.round(1.08 ** 60.5));
});

test("an organization that shares a person with the publisher is not a customer", async () => {
  const friend = await givenMember(platform, "friend");
  await platform.pool.query(
    "insert into memberships (organization_id, user_id, role) values ($1, $2, 'owner')",
    [friend.organization.id, publisher.userId],
  );
  await called(await install(friend), 5_000, { bucket: 1 });
  await countListingDays(platform, { now: NOW });
  expect(await platform.db.select().from(listingDays)).toEqual([]);
});

test("a day is counted once it and its hours are over, once, and calls of many days add up", async () => {
  const harbor = await customer("harbor");
  await called(harbor, 60, { at: new Date(YESTERDAY.getTime() - DAY) });
  await called(harbor, 60);
  await called(harbor, 60, { at: new Date("2026-11-20T08:00:00Z") });
  expect(await countListingDays(platform, { now: NOW })).toBe(2);
  expect((await figures()).calls?.failedShare).toBe(0);
  expect(await countListingDays(platform, { now: NOW })).toBe(0);
  expect(await platform.db.$count(listingDays)).toBe(2);
  expect(await countListingDays(platform, { now: new Date("2026-11-21T00:30:00Z") })).toBe(1);
});

test("of fewer than 100 calls, nothing is told", async () => {
  await called(await customer("harbor"), 99);
  await countListingDays(platform, { now: NOW });
  expect(await figures()).toEqual({ calls: null, days: null });
});

test("a day is healthy if what customers use was up, and a day of another version says nothing", async () => {
  const harbor = await customer("harbor");
  await called(harbor, 50);
  await called(harbor, 50, { at: new Date(YESTERDAY.getTime() - DAY) });
  const instanceId = harbor.installation.id;
  const note = (at: Date, kind: "ready" | "failed") =>
    platform.db.insert(instanceEvents).values({ versionId: app.version.id, instanceId, at, kind });
  await note(new Date(YESTERDAY.getTime() - 2 * DAY), "ready");
  await note(new Date(YESTERDAY.getTime() + 12 * HOUR), "failed");
  await countListingDays(platform, { now: NOW });
  expect((await figures()).days).toEqual({ healthy: 1, all: 2 });
});

// Guarantee: nobody learns of a single customer.
test("how many organizations use an app is told from five on, without the publisher", async () => {
  await called(await install(publisher), 1);
  const four = [];
  for (const slug of ["one", "two", "three", "four"]) four.push(await customer(slug));
  for (const each of four) await called(each, 1);
  await countListingDays(platform, { now: NOW });
  expect(await usedBy()).toBe(0);
  await called(await customer("five"), 1);
  await countListingDays(platform, { now: NOW });
  expect(await usedBy()).toBe(5);
  await platform.pool.query("update installations set state = 'UNINSTALLED' where id = $1", [
    four[0]?.installation.id,
  ]);
  await countListingDays(platform, { now: NOW });
  expect(await usedBy()).toBe(0);
});

// Guarantee: accounts that were made for the figures' sake don't count at once, nor do those that only install the app.
test("an organization counts once it has had the app for a week and the app has answered one of its calls", async () => {
  for (const slug of ["one", "two", "three", "four"]) await called(await customer(slug), 1);
  const five = await install(await givenMember(platform, "five"), { daysAgo: 5 });
  await called(five, 200, { failed: 200 });
  await called(five, 1, { test: true });
  await called(five, 1, { kind: "lifecycle" });
  const week = (late: number) => new Date(YESTERDAY.getTime() + 2 * DAY + late);
  const count = async (now: Date) => {
    await countListingDays(platform, { now });
    return usedBy();
  };
  expect(await count(week(0))).toBe(0);
  expect((await figures()).calls).toBeNull();
  await called(five, 200, { failed: 199, at: new Date(YESTERDAY.getTime() + 4 * HOUR) });
  expect(await count(week(-1))).toBe(0);
  expect(await count(week(0))).toBe(5);
});

test("the calls of an organization's first week are not in the figures", async () => {
  await called(await install(await givenMember(platform, "harbor"), { daysAgo: 5 }), 150);
  await countListingDays(platform, { now: NOW });
  expect((await figures()).calls).toBeNull();
  expect((await figures()).days).toBeNull();
});
