import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { deliveries } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { mails, notifications } from "@/drizzle/schema/platform";
import { instances } from "@/drizzle/schema/runtime";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  testPlatform,
} from "@/tests/test-platform";
import { advanceInstallations } from "@/tests/work";
import { acceptEvent } from "../../calls/deliveries/accept-event";
import { addVersion } from "../../catalog/store-version";
import { writeComment } from "../../moderation/comments";
import { decideReview } from "../../moderation/decide-review";
import { submitReview } from "../../moderation/submit-review";
import { retireListing, suspendListing } from "../../moderation/suspend-listing";
import { ensureInstance } from "../../runtime/ensure-instance";
import { endOnce } from "../../runtime/instance-outcome";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

/** Acme publishes, Harbor runs; each has an owner and a member whom it does not concern. */
async function givenWorld() {
  const publisher = await givenMember(platform, "acme", "publisher");
  await givenMember(platform, "acme", "operator");
  const { listing, version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const operator = await givenMember(platform, "harbor", "operator");
  await givenMember(platform, "harbor", "publisher");
  const { tenant } = await givenTenant(platform, operator);
  const { installation } = await givenInstallation(platform, operator, version, tenant.id);
  return { publisher, listing, version, operator, tenant, installation };
}

async function givenModerator(): Promise<Actor> {
  const member = await givenMember(platform, "platform-team");
  await platform.pool.query("update users set moderator = true where id = $1", [member.userId]);
  return { ...member, moderator: true, organization: undefined };
}

const told = () =>
  platform.db
    .select({
      userId: notifications.userId,
      kind: notifications.kind,
      title: notifications.title,
      body: notifications.body,
      href: notifications.href,
      count: notifications.count,
    })
    .from(notifications);
const mailed = async () => (await platform.db.select().from(mails)).length;

async function expectTold(person: Pick<Member, "userId">, expected: Record<string, unknown>) {
  expect(await told()).toEqual([expect.objectContaining({ userId: person.userId, ...expected })]);
}

test("review-submitted: moderators, once per review", async () => {
  const moderator = await givenModerator();
  const draft = await givenListing(platform, world.publisher, { appName: "rater" });
  await submitReview(platform, world.publisher, draft.listing.id, {
    versionId: draft.version.id,
    older: false,
    note: "Please look.",
  });
  await expectTold(moderator, { kind: "review-submitted", body: "Please look.", count: 1 });
  expect(await mailed()).toBe(1);
});

test("review-moved: the publisher's organization", async () => {
  const moderator = await givenModerator();
  const draft = await givenListing(platform, world.publisher, { appName: "rater" });
  const { reviewId } = await submitReview(platform, world.publisher, draft.listing.id, {
    versionId: draft.version.id,
    older: false,
    note: "",
  });
  await platform.db.delete(notifications);
  await decideReview(platform, moderator, reviewId, { decision: "return", note: "Explain the key." });
  const rows = await told();
  expect(rows.map(({ kind }) => kind)).toEqual(rows.map(() => "review-moved"));
  expect(rows.find(({ userId }) => userId === world.publisher.userId)).toMatchObject({
    body: "Explain the key.",
  });
});

test("version: publishers, except who released it", async () => {
  const colleague = await givenMember(platform, "acme", "owner");
  const { publisher, listing, version } = world;
  const { organization } = publisher;
  const next = { ...version, manifest: { ...version.manifest, version: "2.0.0" } };
  await platform.db.transaction((tx) =>
    addVersion(
      platform,
      tx,
      {
        organizationId: organization.id,
        organizationSlug: organization.slug,
        actor: `user:${publisher.userId}`,
      },
      {
        listingId: listing.id,
        manifest: next.manifest,
        manifestText: version.manifestText,
        imageManifestText: version.imageManifestText,
        bundleKind: version.bundleKind,
        imageDigest: version.imageDigest,
        archiveDigest: version.archiveDigest,
        archiveBytes: version.archiveBytes,
      },
      [],
    ),
  );
  await expectTold(colleague, { kind: "version", title: "Version 2.0.0 of VIN lookup is ready" });
  expect(await mailed()).toBe(0);
});

const givenReady = () => givenInstance(platform, world.version.id, (response) => void response.end("ok"));
const fail = async (reason: string) => {
  const [instance] = await platform.db.select().from(instances).where(eq(instances.state, "READY"));
  if (instance === undefined) throw new Error("no instance is ready");
  await endOnce(platform, instance, { code: "EXITED", reason, logTail: "" });
};

// Guarantee: a flapping app is one notification and one email, and the people who were notified learn of its recovery.
test("app-error: the publisher of an app with customers, folded, and that it runs again", async () => {
  const { runtimes } = fakeRuntimes((response) => void response.end("ok"));
  for (let crash = 1; crash <= 3; crash += 1) {
    await ensureInstance(platform, runtimes, world.version.id);
    await fail(`The app exited with code ${crash}.`);
  }
  await expectTold(world.publisher, {
    kind: "app-error",
    title: "VIN lookup 1.4.0 stopped working",
    body: "The app exited with code 3.",
    href: "/publish/vin-lookup",
    count: 3,
  });
  expect(await mailed()).toBe(1);
  await ensureInstance(platform, runtimes, world.version.id);
  await expectTold(world.publisher, { title: "VIN lookup 1.4.0 is running again", count: 3 });
  expect(await mailed()).toBe(1);
});

test("nobody is notified about an app without customers, or about one that the platform stops", async () => {
  await givenReady();
  const [instance] = await platform.db.select().from(instances);
  if (instance === undefined) throw new Error("no instance");
  await endOnce(platform, instance, { code: "NOT_NEEDED", reason: "Not needed.", logTail: "" });
  await platform.db.update(installations).set({ test: true });
  await platform.db.delete(instances);
  await givenReady();
  await fail("The app exited.");
  expect(await told()).toEqual([]);
});

test("installation-error: operators, and that it runs again", async () => {
  const fake = fakeRuntimes(
    (response, received) =>
      void (received.url.startsWith("/_app/") ? response.writeHead(500).end() : response.end("ok")),
  );
  await platform.db.update(installations).set({ state: "LAUNCHING", leasedUntil: null });
  await advanceInstallations(platform, fake.runtimes);
  const about = { kind: "installation-error", href: `/installations/${world.installation.id}` };
  await expectTold(world.operator, {
    ...about,
    title: "VIN lookup for Production failed",
    body: expect.stringContaining("hook failed"),
  });
  fake.respond = (response) => void response.end("ok");
  await platform.db.update(installations).set({ state: "LAUNCHING", leasedUntil: null });
  await advanceInstallations(platform, fake.runtimes);
  await expectTold(world.operator, {
    ...about,
    title: "VIN lookup for Production is running again",
    count: 1,
  });
});

test("a Test Launch in error tells who launched it", async () => {
  const fake = fakeRuntimes(
    (response, received) =>
      void (received.url.startsWith("/_app/") ? response.writeHead(500).end() : response.end("ok")),
  );
  await givenMember(platform, "harbor", "owner");
  await platform.db.update(installations).set({ state: "LAUNCHING", leasedUntil: null, test: true });
  await advanceInstallations(platform, fake.runtimes);
  await expectTold(world.operator, { kind: "installation-error" });
});

// Guarantee: a hundred dead deliveries are one notification.
test("delivery: dead deliveries are folded with their number", async () => {
  await givenInstance(platform, world.version.id, (response) => void response.writeHead(400).end());
  for (let event = 0; event < 20; event += 1)
    await acceptEvent(platform, world.tenant.id, {
      id: `e${event}`,
      type: "policy.issued",
      timestamp: "2026-01-01T00:00:00Z",
      data: {},
    });
  while ((await sendDueDeliveries(platform)) > 0)
    await platform.db.update(deliveries).set({ nextAttemptAt: sql`now()` });
  await expectTold(world.operator, {
    kind: "delivery",
    title: "Events could not be delivered to VIN lookup for Production",
    href: `/calls?state=dead&installation=${world.installation.id}`,
    count: 20,
  });
  expect(await mailed()).toBe(1);
});

test("delivery: a subscription that the app ended", async () => {
  await givenInstance(platform, world.version.id, (response) => void response.writeHead(410).end());
  await acceptEvent(platform, world.tenant.id, {
    id: "e",
    type: "policy.issued",
    timestamp: "2026-01-01T00:00:00Z",
    data: {},
  });
  await sendDueDeliveries(platform);
  await expectTold(world.operator, {
    kind: "delivery",
    title: "VIN lookup for Production ended a subscription",
  });
});

test("comment: the other side, and only the moderators who take part", async () => {
  const [moderator, other] = [await givenModerator(), await givenModerator()];
  const draft = await givenListing(platform, world.publisher, { appName: "rater" });
  const { reviewId } = await submitReview(platform, world.publisher, draft.listing.id, {
    versionId: draft.version.id,
    older: false,
    note: "",
  });
  await platform.db.delete(notifications);
  await writeComment(platform, world.publisher, reviewId, { body: "Anyone?" });
  expect((await told()).map(({ userId }) => userId).sort()).toEqual([moderator.userId, other.userId].sort());
  await platform.db.delete(notifications);
  await writeComment(platform, moderator, reviewId, { body: "Why this key?" });
  await expectTold(world.publisher, { kind: "comment", body: "Why this key?" });
  await platform.db.delete(notifications);
  await writeComment(platform, world.publisher, reviewId, { body: "For the provider." });
  await writeComment(platform, world.publisher, reviewId, { body: "And for tests." });
  await expectTold(moderator, { kind: "comment", body: "And for tests.", count: 2 });
});

test("suspension: the publisher and the customers", async () => {
  const moderator = await givenModerator();
  await suspendListing(platform, moderator, world.listing.id, {
    reason: "It leaks.",
    stopInstallations: false,
  });
  const rows = await told();
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(["suspension"]));
  const people = rows.map(({ userId }) => userId);
  expect(people).toContain(world.publisher.userId);
  expect(people).toContain(world.operator.userId);
});

test("suspension: a retirement, except for who retired it", async () => {
  const colleague = await givenMember(platform, "acme", "owner");
  await retireListing(platform, world.publisher, world.listing.id);
  const rows = await told();
  const people = rows.map(({ userId }) => userId);
  expect(people).not.toContain(world.publisher.userId);
  expect(rows.find(({ userId }) => userId === colleague.userId)).toMatchObject({
    kind: "suspension",
    title: "VIN lookup was retired",
    href: "/publish/vin-lookup",
  });
  expect(rows.find(({ userId }) => userId === world.operator.userId)).toMatchObject({
    body: expect.stringContaining("Your installations keep running."),
    href: "/installations?q=vin-lookup",
  });
});
