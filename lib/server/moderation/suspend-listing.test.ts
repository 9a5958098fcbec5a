import { beforeEach, expect, test } from "vitest";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  givenVersion,
  one,
  SAMPLE_ANSWERS,
  testPlatform,
} from "@/tests/test-platform";
import { startInstallation, stopInstallation } from "../installations/command-installation";
import { launchInstallation } from "../installations/launch-installation";
import { readInstallation } from "../installations/read-installation";
import { findTargets } from "../installations/read-upgrade";
import { listModeratedListings, readModeratedListing } from "./read-moderated-listings";
import { reinstateListing, suspendListing } from "./suspend-listing";

const platform = await testPlatform();

const REASON = "It sends policy data to a third party.";

let publisher: Member;
let moderator: Actor;
let listing: Awaited<ReturnType<typeof givenListing>>["listing"];
let version: Awaited<ReturnType<typeof givenListing>>["version"];
beforeEach(async () => {
  publisher = await givenMember(platform, "acme");
  moderator = { ...(await givenMember(platform, "watch")), moderator: true };
  ({ listing, version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true }));
});

async function givenCustomer(slug: string, state: InstallationState = "RUNNING", test = false) {
  const customer = await givenMember(platform, slug, "operator");
  const { tenant } = await givenTenant(platform, customer);
  const { installation } = await givenInstallation(platform, customer, version, tenant.id);
  await platform.pool.query("update installations set state = $1, test = $2 where id = $3", [
    state,
    test,
    installation.id,
  ]);
  return { customer, tenantId: tenant.id, id: installation.id };
}

async function stateOf(id: string): Promise<string> {
  const { rows } = await platform.pool.query<{ state: string }>(
    "select state from installations where id = $1",
    [id],
  );
  return one(rows).state;
}

const suspend = (stopInstallations: boolean) =>
  suspendListing(platform, moderator, listing.id, { reason: REASON, stopInstallations });

const launch = (customer: Member, tenantId: string) =>
  launchInstallation(platform, customer, {
    versionId: version.id,
    tenantId,
    test: false,
    ...SAMPLE_ANSWERS,
    mappings: { "Personal Auto": { vin: "$.vin" } },
  });

async function actions(): Promise<string[]> {
  const { rows } = await platform.pool.query<{ action: string }>("select action from audit order by action");
  return rows.map(({ action }) => action);
}

// Guarantee: a suspension takes the app from those who don't have it, and doesn't affect those who do.
test("a suspended app runs on where it runs, and nobody new can launch it", async () => {
  const { id, customer } = await givenCustomer("harbor");
  const newcomer = await givenMember(platform, "alpine");
  const { tenant } = await givenTenant(platform, newcomer);
  const shown = async () => (await readInstallation(platform, customer, id)).listing;
  expect(await shown()).toEqual({ state: "PUBLIC", suspension: null });
  expect(await suspend(false)).toEqual({ stopped: 0 });
  expect(await shown()).toEqual({ state: "SUSPENDED", suspension: REASON });
  expect(await stateOf(id)).toBe("RUNNING");
  await expect(launch(newcomer, tenant.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await stopInstallation(platform, customer, id);
  await platform.pool.query("update installations set state = 'STOPPED'");
  await startInstallation(platform, customer, id);
  expect((await readModeratedListing(platform, moderator, listing.id)).listing.state).toBe("SUSPENDED");
  await reinstateListing(platform, moderator, listing.id);
  expect(await shown()).toEqual({ state: "PUBLIC", suspension: null });
  await launch(newcomer, tenant.id);
});

test("upgrades to a suspended app's versions are refused; going back is not", async () => {
  const { id, customer } = await givenCustomer("harbor");
  const row = { id, organizationId: customer.organization.id, state: "RUNNING", test: false } as const;
  const { id: versionId, number } = version;
  const found = () => findTargets(platform.db, { ...row, versionId, number, listingId: listing.id });
  for (const each of ["1.0.0", "2.0.0"]) await givenVersion(platform, version, each);
  await platform.pool.query(
    `insert into upgrades (id, installation_id, from_version_id, to_version_id, from_revision, to_revision, state, created_by, switched_at)
     select gen_random_uuid(), $1, id, $2, 1, 2, 'DONE', $3, now() from versions where number = '1.0.0'`,
    [id, version.id, customer.userId],
  );
  const numbers = async () => (await found()).targets.map(({ number }) => number);
  expect(await numbers()).toEqual(["2.0.0", "1.0.0"]);
  await suspend(false);
  expect(await numbers()).toEqual(["1.0.0"]);
  await reinstateListing(platform, moderator, listing.id);
  await suspend(true);
  expect(await numbers()).toEqual([]);
});

// Guarantee: what a moderator stops stays stopped, and every customer's trail says who stopped it.
test("a moderator stops what runs or is being launched, and customers can't start it again", async () => {
  const running = await givenCustomer("harbor");
  const launching = await givenCustomer("alpine", "LAUNCHING");
  const failed = await givenCustomer("baltic", "ERROR");
  const trial = await givenCustomer("trial", "RUNNING", true);
  const { running: reach } = await readModeratedListing(platform, moderator, listing.id);
  expect(reach).toEqual({ installations: 2, organizations: 2 });
  expect(await suspend(true)).toEqual({ stopped: 2 });
  const states = [running, launching, failed, trial].map(({ id }) => stateOf(id));
  expect(await Promise.all(states)).toEqual(["STOPPING", "STOPPING", "ERROR", "RUNNING"]);
  expect(await actions()).toEqual(["installation.suspend", "installation.suspend", "listing.suspend"]);
  await platform.pool.query("update installations set state = 'STOPPED' where state = 'STOPPING'");
  for (const { customer, id } of [running, launching, failed])
    await expect(startInstallation(platform, customer, id)).rejects.toMatchObject({
      code: "WRONG_STATE",
      detail: expect.stringContaining("suspended"),
    });
});

test("state keys end with the stop", async () => {
  const { id } = await givenCustomer("harbor");
  const epoch = "select key_epoch from installations where id = $1";
  const before = one((await platform.pool.query<{ key_epoch: number }>(epoch, [id])).rows).key_epoch;
  await suspend(true);
  expect(one((await platform.pool.query<{ key_epoch: number }>(epoch, [id])).rows).key_epoch).toBe(
    before + 1,
  );
});

test("reinstating brings the app back, and says what is still stopped", async () => {
  const { customer, id } = await givenCustomer("harbor");
  const { id: other } = await givenCustomer("alpine");
  await suspend(true);
  await platform.pool.query("update installations set state = 'STOPPED'");
  expect(await reinstateListing(platform, moderator, listing.id)).toEqual({ stillStopped: 2 });
  await startInstallation(platform, customer, id);
  const read = await readModeratedListing(platform, moderator, listing.id);
  expect(read.stillStopped).toMatchObject([{ id: other, organization: "alpine" }]);
  expect(read.suspensions.rows).toMatchObject([
    { reason: REASON, suspendedBy: moderator.name, reinstatedBy: moderator.name, stopsInstallations: true },
  ]);
});

test.each(["DRAFT", "SUSPENDED", "RETIRED"])("a %s listing can't be suspended", async (state) => {
  await platform.pool.query("update listings set state = $1", [state]);
  await expect(suspend(false)).rejects.toMatchObject({ code: "WRONG_STATE" });
});

test.each(["DRAFT", "PUBLIC", "RETIRED"])("a %s listing can't be reinstated", async (state) => {
  await platform.pool.query("update listings set state = $1", [state]);
  await expect(reinstateListing(platform, moderator, listing.id)).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
});

test("nobody suspends or reinstates an app of an organization they belong to", async () => {
  const own = { ...publisher, organization: undefined, moderator: true };
  const input = { reason: REASON, stopInstallations: false };
  await expect(suspendListing(platform, own, listing.id, input)).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  await suspend(false);
  await expect(reinstateListing(platform, own, listing.id)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
});

test("of two moderators at the same time, one suspends", async () => {
  const outcomes = await Promise.allSettled([suspend(false), suspend(true)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await actions()).filter((action) => action === "listing.suspend")).toHaveLength(1);
});

// Guarantee: no launch slips through between the check and the suspension.
test("of a concurrent launch and suspension, the app is launched and stopped, or not launched", async () => {
  const newcomer = await givenMember(platform, "alpine");
  const { tenant } = await givenTenant(platform, newcomer);
  const [launched, suspended] = await Promise.allSettled([launch(newcomer, tenant.id), suspend(true)]);
  expect(suspended.status).toBe("fulfilled");
  if (launched.status === "fulfilled") expect(await stateOf(launched.value.installationId)).toBe("STOPPING");
  else expect(launched.reason).toMatchObject({ code: "NOT_FOUND" });
});

test("publisher and customers are notified, each of what concerns them", async () => {
  await givenCustomer("harbor");
  await givenCustomer("alpine", "STOPPED");
  await suspend(true);
  const { rows } = await platform.pool.query<{ slug: string; body: string; href: string }>(
    "select o.slug, n.body, n.href from notifications n join organizations o on o.id = n.organization_id where n.kind = 'suspension' order by 1",
  );
  expect(rows).toEqual([
    { slug: "acme", body: REASON, href: "/publish/vin-lookup" },
    { slug: "alpine", body: REASON, href: "/installations?q=vin-lookup" },
    {
      slug: "harbor",
      body: `Your installations were stopped. ${REASON}`,
      href: "/installations?q=vin-lookup",
    },
  ]);
});

test("moderators find listings by state and text", async () => {
  await givenListing(platform, publisher, { appName: "draft" });
  const find = async (query: Parameters<typeof listModeratedListings>[1]) =>
    (await listModeratedListings(platform, query)).listings.map(({ appName }) => appName);
  expect(await find({})).toEqual(["vin-lookup"]);
  expect(await find({ state: "DRAFT" })).toEqual(["draft"]);
  expect(await find({ search: "acme" })).toEqual(["vin-lookup"]);
  const counted = async (search: string) => (await listModeratedListings(platform, { search })).counts;
  expect(await counted("acme")).toEqual({ PUBLIC: 1, DRAFT: 1 });
  expect(await counted("nothing")).toEqual({});
  expect(await find({ search: "%", after: "'; drop" })).toEqual([]);
  expect(await find({ after: `${listing.id}~A` })).toEqual(["vin-lookup"]);
  expect(await find({ after: `${listing.id}~zzzz` })).toEqual([]);
});

test("moderators sort listings by name, change and age, page by page", async () => {
  await platform.pool.query(
    `insert into listings (id, organization_id, app_name, title, about, requirements, state, created_at, updated_at)
     select gen_random_uuid(), organization_id, 'app-' || n, 'App ' || lpad(n::text, 2, '0'), about, requirements, state,
            now() - make_interval(hours => n), now() - make_interval(mins => n * 7 % 41)
       from listings, generate_series(1, 40) n where id = $1`,
    [listing.id],
  );
  const read = async (sort: string, after?: string) => listModeratedListings(platform, { sort, after });
  const order = async (sort: string) => {
    const first = await read(sort);
    const second = await read(sort, first.next);
    expect((await read(sort, second.previous)).listings).toEqual(first.listings);
    return [...first.listings, ...second.listings];
  };
  const titles = (await order("name")).map(({ title }) => title);
  expect(titles).toEqual(titles.toSorted());
  const changed = (await order("changed")).map(({ updatedAt }) => updatedAt.getTime());
  expect(changed).toEqual(changed.toSorted((one, other) => other - one));
  expect((await order("newest")).map(({ appName }) => appName)).toEqual([
    "vin-lookup",
    ...Array.from({ length: 40 }, (_, at) => `app-${at + 1}`),
  ]);
});
