import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { expect, test } from "vitest";
import { v7 } from "uuid";
import { attempts, deliveries, events } from "@/drizzle/schema/calls";
import { listingDrafts, manifestDrafts, reviews } from "@/drizzle/schema/catalog";
import { listingReports } from "@/drizzle/schema/moderation";
import { instances } from "@/drizzle/schema/runtime";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import { givenConfiguredWorld } from "@/tests/configured-world";
import {
  givenInstallation,
  givenInstalledApp,
  givenListing,
  givenMember,
  givenTenant,
  one,
  SAMPLE_MANIFEST,
  SAMPLE_TEXT,
  testPlatform,
} from "@/tests/test-platform";
import { decideRequest } from "../installations/requests/decide-request";
import { changeLaunchRules } from "../installations/requests/launch-rules";
import { requestLaunch } from "../installations/requests/request-launch";
import { readHome } from "./read-home";

const platform = await testPlatform();

/** What needs attention, by the rows of installations and listings. */
const attention = async (actor: Actor) => {
  const { organization } = await readHome(platform, actor);
  return [...(organization?.installations.rows ?? []), ...(organization?.listings.rows ?? [])].flatMap(
    ({ title, notes }) => notes.map(({ text, href }) => ({ title, text, href })),
  );
};

test("a new owner is shown both ways to begin, and no empty list", async () => {
  const { organization, queue } = await readHome(platform, await givenMember(platform, "harbor"));
  expect(organization).toMatchObject({ installations: { rows: [] }, listings: { rows: [] } });
  expect(organization?.tracks.map(({ title }) => title)).toEqual(["Use an app", "Publish an app"]);
  expect(queue).toBeUndefined();
});

// Guarantee: what fails is on the home page of the organization that can fix it, and of no other.
test("a customer sees what is down, changed products, events that were not delivered, and upgrades", async () => {
  const world = await givenConfiguredWorld(platform);
  const id = await world.launch();
  await world.addVersion("1.5.0", world.fields);
  await platform.pool.query('update configurations set schema_digests = \'{"Personal Auto": "before"}\'');
  await platform.pool.query("update products set schema_digest = 'after'");
  const { rows } = await platform.pool.query<{ id: string; tenantId: string }>(
    `select r.id, i.tenant_id as "tenantId" from routes r join installations i on i.id = r.installation_id where r.kind = 'webhook'`,
  );
  const { id: routeId, tenantId } = one(rows);
  const event = one(
    await platform.db
      .insert(events)
      .values({ tenantId, eventId: "1", type: "policy.issued", body: "{}", bodyHash: "" })
      .returning(),
  );
  await platform.db
    .insert(deliveries)
    .values({ eventId: event.id, installationId: id, routeId, state: "DEAD", settledAt: new Date() });

  const place = { title: "VIN lookup", href: `/installations/${id}` };
  expect(await attention(world.customer)).toEqual([
    { ...place, text: expect.stringMatching(/not started/) },
    {
      ...place,
      text: "1 event was not delivered after all retries.",
      href: `${place.href}/calls?state=dead`,
    },
    {
      ...place,
      text: "Personal Auto changed in the core since its mapping was saved.",
      href: `${place.href}/configure`,
    },
    { ...place, text: "Version 1.5.0 is available.", href: `${place.href}/upgrade` },
  ]);
  expect(await attention(world.publisher)).toEqual([]);
  await platform.pool.query("update deliveries set settled_at = now() - interval '8 days'");
  await platform.pool.query("update installations set state = 'UNINSTALLED'");
  expect(await attention(world.customer)).toEqual([]);
});

async function givenReturned(publisher: Member) {
  const { listing, version } = await givenListing(platform, publisher);
  const review = {
    listingId: listing.id,
    versionId: version.id,
    text: SAMPLE_TEXT,
    submittedBy: publisher.userId,
  };
  const decided = {
    state: "CHANGES_REQUESTED",
    note: "Say where the data goes.",
    decidedAt: new Date(),
  } as const;
  await platform.db.insert(reviews).values({ ...review, ...decided });
  return { listing, review };
}

test("a publisher sees a returned review until the listing is submitted again", async () => {
  const publisher = await givenMember(platform, "acme", "publisher");
  const { review } = await givenReturned(publisher);
  expect(await attention(publisher)).toMatchObject([
    {
      text: "Version 1.4.0 was returned for changes: Say where the data goes.",
      href: expect.stringMatching(/^\/publish\/vin-lookup\/reviews\//),
    },
  ]);
  expect(await attention(await givenMember(platform, "acme", "operator"))).toEqual([]);
  await platform.db.insert(reviews).values(review);
  expect(await attention(publisher)).toEqual([]);
});

test("a draft that can't be released is shown with its number of problems", async () => {
  const publisher = await givenMember(platform, "acme");
  const { listing } = await givenListing(platform, publisher, { verified: true });
  const text = '{ "name": "acme/vin-lookup", "version": "next" }';
  await platform.db.insert(manifestDrafts).values({ listingId: listing.id, text, updatedBy: "user:x" });
  expect(await attention(publisher)).toMatchObject([
    {
      text: expect.stringContaining("1 problem"),
      href: "/publish/vin-lookup/manifest",
    },
  ]);
});

// Guarantee: work that nobody finished is on the home page of those who can finish it.
test("a publisher sees what is not released or not submitted, until it is", async () => {
  const publisher = await givenMember(platform, "acme", "publisher");
  const { listing, version } = await givenListing(platform, publisher, { state: "PUBLIC" });
  const listingId = listing.id;
  const manifest = { ...SAMPLE_MANIFEST, app: { fields: [] } };
  const text = { ...SAMPLE_TEXT, tagline: "The make and model year of a VIN" };
  await platform.db
    .insert(manifestDrafts)
    .values({ listingId, text: JSON.stringify(manifest), updatedBy: "user:x" });
  await platform.db.insert(listingDrafts).values({ listingId, text, updatedBy: "user:x" });
  const places = async () => (await attention(publisher)).map(({ href }) => href);
  expect(await places()).toEqual([
    "/publish/vin-lookup/manifest",
    "/publish/vin-lookup/versions",
    "/publish/vin-lookup/edit",
  ]);
  expect(await attention(await givenMember(platform, "acme", "operator"))).toEqual([]);
  expect(await attention(await givenMember(platform, "other", "publisher"))).toEqual([]);

  const review = { listingId, text, submittedBy: publisher.userId };
  await platform.db.insert(reviews).values([
    { ...review, kind: "TEXT" },
    { ...review, versionId: version.id },
  ]);
  await platform.db
    .update(manifestDrafts)
    .set({ text: version.manifestText, baseVersionId: version.id })
    .where(eq(manifestDrafts.listingId, listingId));
  expect(await places()).toEqual([]);
});

// Guarantee: nothing that a publisher left unfinished is missing without a word.
test("of many listings and drafts, those that are not shown are counted", async () => {
  const publisher = await givenMember(platform, "acme", "publisher");
  for (let at = 0; at < 30; at += 1) {
    const { listing } = await givenListing(platform, publisher, { appName: `app-${at}` });
    await platform.db
      .insert(manifestDrafts)
      .values({ listingId: listing.id, text: "{}", updatedBy: "user:x" });
  }
  const { organization } = await readHome(platform, publisher);
  expect(organization?.listings).toMatchObject({ total: 30, isComplete: false, uncheckedDrafts: 10 });
  expect(organization?.listings.rows).toHaveLength(20);
  expect((await attention(publisher)).filter(({ href }) => href.endsWith("/manifest"))).toHaveLength(20);
});

// Guarantee: nobody moves the figures of their own app.
test("a publisher sees the calls and customers of others, not its own", async () => {
  const { publisher, customer, version, installation } = await givenInstalledApp(platform);
  const { tenant } = await givenTenant(platform, publisher);
  const own = await givenInstallation(platform, publisher, version, tenant.id);
  const call = ({ id: installationId, organizationId }: { id: string; organizationId: string }) =>
    platform.db.insert(attempts).values({
      ...{ organizationId, installationId, routeId: v7(), kind: "webhook" as const, target: "POST /events" },
      failure: "It returned 500.",
    });
  await call(own.installation);
  const row = async () => one((await readHome(platform, publisher)).organization?.listings.rows ?? []);
  expect(await row()).toMatchObject({ customers: 1, day: { calls: 0, failed: 0 }, version: "1.4.0" });
  await call(installation);
  expect(await row()).toMatchObject({ customers: 1, day: { calls: 1, failed: 1 } });
  const { organization } = await readHome(platform, customer);
  expect(organization?.installations).toMatchObject({
    total: 1,
    isComplete: true,
    rows: [{ day: { calls: 1, failed: 1 }, lastCallAt: expect.any(Date) }],
  });
});

// Guarantee: owners learn of what they decide, and members of what they may do now, on their first page.
test("requests to launch are shown to owners, and approvals to the member until they are used", async () => {
  const { publisher, customer: owner, version, installation, tenant } = await givenInstalledApp(platform);
  await platform.pool.query("update installations set state = 'UNINSTALLED' where id = $1", [
    installation.id,
  ]);
  const operator = await givenMember(platform, "harbor", "operator");
  const colleague = await givenMember(platform, "harbor", "operator");
  const requests = async (member: Member) => (await readHome(platform, member)).organization?.requests;
  const NONE = { waiting: 0, approved: [], hasMoreApproved: false };
  await changeLaunchRules(platform, owner, { membersAsk: true });
  const asked = { versionId: version.id, tenantId: tenant.id, note: "For renewals." };
  const { requestId } = await requestLaunch(platform, operator, asked);
  expect(await requests(owner)).toEqual({ ...NONE, waiting: 1 });
  for (const other of [operator, colleague, publisher]) expect(await requests(other)).toEqual(NONE);

  await decideRequest(platform, owner, requestId, { decision: "approve", note: "" });
  expect(await requests(owner)).toEqual(NONE);
  expect(await requests(colleague)).toEqual(NONE);
  const approval = { title: "VIN lookup", publisherSlug: "acme", appName: "vin-lookup", needsLink: false };
  expect(await requests(operator)).toMatchObject({ approved: [{ id: requestId, ...approval }] });
  await changeLaunchRules(platform, owner, { onlyAllowedApps: true });
  expect(await requests(operator)).toEqual(NONE);
  await changeLaunchRules(platform, owner, { onlyAllowedApps: false });
  expect((await requests(operator))?.approved).toHaveLength(1);
  await platform.pool.query("update listings set state = 'SUSPENDED'");
  expect(await requests(operator)).toEqual(NONE);
  await platform.pool.query("update listings set state = 'PUBLIC', visibility = 'LINK'");
  await platform.pool.query("update launch_requests set with_link = true");
  expect(await requests(operator)).toMatchObject({ approved: [{ needsLink: true }] });
  await platform.pool.query("update launch_requests set used_at = now()");
  expect(await requests(operator)).toEqual(NONE);
  await platform.pool.query("update launch_requests set used_at = null, valid_until = now()");
  expect(await requests(operator)).toEqual(NONE);
});

test("a moderator sees the reviews that are due first", async () => {
  const publisher = await givenMember(platform, "acme");
  const { review } = await givenReturned(publisher);
  const { organization: _none, ...moderator } = {
    ...(await givenMember(platform, "watch")),
    moderator: true,
  };
  expect(await readHome(platform, moderator)).toEqual({
    organization: undefined,
    queue: { count: 0, oldest: null, overdue: 0, reports: 0, rows: [] },
  });
  const report = { listingId: review.listingId, text: "It sends spam.", reportedBy: moderator.userId };
  await platform.db.insert(listingReports).values(report);
  await platform.db.insert(reviews).values(review);
  const queue = async () => (await readHome(platform, moderator)).queue;
  const row = { title: "VIN lookup", versionNumber: "1.4.0", isOverdue: false, claim: undefined };
  expect(await queue()).toMatchObject({ count: 1, overdue: 0, reports: 1, rows: [row] });
  await platform.pool.query(
    "update reviews set due_at = now() - interval '1 hour', claimed_by = $1, claimed_at = now() where state = 'PENDING'",
    [moderator.userId],
  );
  expect(await queue()).toMatchObject({ overdue: 1, rows: [{ ...row, isOverdue: true, claim: "you" }] });
});

// Guarantee: a publisher whose app is broken reads it on its first page, and the customer isn't named.
test("a publisher sees that a version that customers need is down, until it runs again", async () => {
  const { publisher, version, installation } = await givenInstalledApp(platform);
  await platform.pool.query("update installations set state = 'ERROR' where id = $1", [installation.id]);
  const notes = async () => (await attention(publisher)).filter(({ href }) => href === "/publish/vin-lookup");
  expect(await notes()).toEqual([]);
  const failed = { versionId: version.id, runtime: "process", state: "FAILED" as const, endedAt: new Date() };
  await platform.db.insert(instances).values(failed);
  await platform.db.insert(instances).values({ versionId: version.id, runtime: "process" });
  expect(await notes()).toMatchObject([
    {
      title: "VIN lookup",
      text: "Version 1.4.0 failed and isn't running. 1 installation of a customer needs it.",
    },
  ]);
  await platform.pool.query("update installations set state = 'STOPPED'");
  expect(await notes()).toEqual([]);
  await platform.pool.query("update installations set state = 'RUNNING'");
  expect(await notes()).toHaveLength(1);
  await platform.pool.query("update instances set state = 'READY' where state = 'STARTING'");
  expect(await notes()).toEqual([]);
});

// Guarantee: the page of somebody who does everything stays within the statements that a page may cost.
test("a home page costs at most 19 statements", async () => {
  const world = await givenConfiguredWorld(platform, "baltic");
  await world.launch();
  await world.launch({}, true);
  const statements: string[] = [];
  const db = drizzle(platform.pool, { logger: { logQuery: (query) => void statements.push(query) } });
  await readHome({ ...platform, db }, { ...world.publisher, moderator: true });
  expect(statements.length).toBeGreaterThan(10);
  expect(statements.length).toBeLessThanOrEqual(19);
  const { organization, ...person } = world.customer;
  statements.length = 0;
  await readHome({ ...platform, db }, { ...person, organization: { ...organization, role: "operator" } });
  expect(statements.length).toBeLessThanOrEqual(19);
});

// Guarantee: a disconnected tenant does not count as progress.
test("each step that was taken is marked", async () => {
  const owner = await givenMember(platform, "harbor");
  await givenTenant(platform, owner);
  const steps = async () =>
    (await readHome(platform, owner)).organization?.tracks[0]?.steps.map(({ done }) => done);
  expect(await steps()).toEqual([true, false]);
  await platform.pool.query("update tenants set disconnected_at = now()");
  expect(await steps()).toEqual([false, false]);
});
