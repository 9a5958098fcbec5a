import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { installations, uninstallAnswers, upgrades } from "@/drizzle/schema/installations";
import {
  givenInstallation,
  givenInstalledApp,
  givenMember,
  givenTenant,
  givenVersion,
  testPlatform,
} from "@/tests/test-platform";
import { uninstallInstallation } from "../../installations/command-installation";
import { removeOldRecords } from "../../surface/remove-old-records";
import { countVisit } from "./count-visit";
import { readUse } from "./read-use";

const platform = await testPlatform();

const PERSON = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

async function givenApp() {
  const given = await givenInstalledApp(platform);
  const listing = { id: given.version.listingId, organizationId: given.publisher.organization.id };
  const visit = (
    network: string,
    organizationId?: string,
    changes: { userAgent?: string; kind?: "view" | "launch"; now?: Date } = {},
  ) => {
    const { userAgent = PERSON, kind = "view", now } = changes;
    return countVisit(platform, { kind, listing, organizationId, client: { network, userAgent } }, now);
  };
  const read = () => readUse(platform, listing);
  return { ...given, listing, visit, read };
}

// Guarantee: a publisher can't move its own figures, by signing out neither, and a visitor counts once a day.
test("visitors count once a day, without the publisher, its network, and robots", async () => {
  const { publisher, customer, visit, read } = await givenApp();
  const own = publisher.organization.id;
  await visit("192.0.2.1", own);
  await visit("192.0.2.1");
  await visit("192.0.2.1", own);
  await visit("192.0.2.9", undefined, { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1)" });
  expect((await read()).funnel).toMatchObject({ views: 0 });

  await visit("192.0.2.2");
  await visit("192.0.2.2");
  await visit("192.0.2.3", customer.organization.id);
  await visit("192.0.2.4", customer.organization.id);
  await visit("192.0.2.3", customer.organization.id, { kind: "launch" });
  await visit("192.0.2.1", own, { kind: "launch" });
  expect((await read()).funnel).toEqual({ views: 2, started: 1, finished: 1 });
  await visit("192.0.2.2", undefined, { now: new Date(Date.now() - 24 * 3_600_000) });
  expect((await read()).funnel.views).toBe(3);

  const { rows } = await platform.pool.query("select visitor from listing_visitors");
  expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|[0-9a-f]{8}-[0-9a-f]{4}/);
  const removed = await removeOldRecords(platform, {
    pauseMs: 0,
    now: new Date(Date.now() + 2 * 24 * 3_600_000),
  });
  expect(removed).toMatchObject({ listingVisitors: rows.length, visitDays: 0 });
  expect((await read()).funnel.views).toBe(3);
});

// Guarantee: a publisher can't move its own figures with organizations that it creates.
test("an organization that shares a person with the publisher counts as the publisher's own", async () => {
  const { publisher, version, listing, visit, read } = await givenApp();
  const before = await read();
  const second = await givenMember(platform, "second");
  await platform.pool.query(
    "insert into memberships (organization_id, user_id, role) values ($1, $2, 'owner')",
    [second.organization.id, publisher.userId],
  );
  const { tenant } = await givenTenant(platform, second, "second.core.example");
  const { installation } = await givenInstallation(platform, second, version, tenant.id);
  await platform.pool.query(
    `insert into call_hours (hour, organization_id, installation_id, route_id, test, event_type, latencies, calls, failed)
     values (date_trunc('hour', now()), $1, $2, gen_random_uuid(), false, '', '{1}', '{5}', '{5}')`,
    [second.organization.id, installation.id],
  );
  await visit("192.0.2.5", second.organization.id);
  await visit("192.0.2.5", second.organization.id, { kind: "launch" });
  await visit("192.0.2.5");
  await uninstallInstallation(platform, second, installation.id, { reason: "cost", comment: "Ours." });
  expect(await read()).toEqual(before);
  expect(await platform.db.$count(uninstallAnswers, eq(uninstallAnswers.listingId, listing.id))).toBe(0);
});

// Guarantee: no step of a launch has more than the one before it.
test("a launch that was finished was started, whoever opened its page, and counts once a day", async () => {
  const { customer, version, visit, read } = await givenApp();
  const second = await givenTenant(platform, customer, "second.core.example", "Second");
  await givenInstallation(platform, customer, version, second.tenant.id);
  expect((await read()).funnel).toMatchObject({ started: 1, finished: 1 });
  const yesterday = new Date(Date.now() - 24 * 3_600_000);
  for (const network of ["192.0.2.6", "192.0.2.7"])
    await visit(network, undefined, { kind: "launch", now: yesterday });
  expect((await read()).funnel).toMatchObject({ started: 3, finished: 1 });
  const other = await givenMember(platform, "alpine");
  await givenInstallation(platform, other, version, (await givenTenant(platform, other)).tenant.id);
  expect((await read()).funnel).toMatchObject({ started: 4, finished: 2 });
});

test("only a public listing has visitors", async () => {
  const { visit, read } = await givenApp();
  await platform.pool.query("update listings set state = 'SUSPENDED'");
  await visit("192.0.2.2");
  expect((await read()).funnel.views).toBe(0);
});

test("installations and failures are those of the version that each customer used then", async () => {
  const { publisher, version, installation, read } = await givenApp();
  const newer = await givenVersion(platform, version, "1.5.0");
  const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000);
  await platform.db
    .update(installations)
    .set({ versionId: newer.id, createdAt: days(10) })
    .where(eq(installations.id, installation.id));
  await platform.db.insert(upgrades).values({
    ...{ installationId: installation.id, fromVersionId: version.id, toVersionId: newer.id },
    ...{ fromRevision: 1, toRevision: 1, state: "DONE", createdBy: installation.createdBy },
    switchedAt: days(3),
  });
  const { tenant } = await givenTenant(platform, publisher, "own.core.example");
  const own = await givenInstallation(platform, publisher, version, tenant.id);
  const hour = (id: string, organizationId: string, ago: number, failed: number) =>
    platform.pool.query(
      `insert into call_hours (hour, organization_id, installation_id, route_id, test, event_type, latencies, calls, failed)
       values (date_trunc('hour', now()) - make_interval(days => $1), $2, $3, gen_random_uuid(), false, '', '{1,2}', '{5,5}', array[$4::int, 0])`,
      [ago, organizationId, id, failed],
    );
  await hour(installation.id, installation.organizationId, 5, 4);
  await hour(installation.id, installation.organizationId, 1, 0);
  await hour(own.installation.id, publisher.organization.id, 1, 5);
  const { installations: byDay, calls, funnel } = await read();
  expect(calls).toEqual([
    { number: "1.5.0", calls: 10, failed: 0 },
    { number: "1.4.0", calls: 10, failed: 4 },
  ]);
  const counts = Object.fromEntries(byDay.lines.map(({ name, counts: each }) => [name, each]));
  expect(byDay.days).toHaveLength(30);
  expect(counts["1.4.0"]?.reduce((sum, each) => sum + each, 0)).toBe(7);
  expect(counts["1.5.0"]?.slice(-3)).toEqual([1, 1, 1]);
  expect(funnel.finished).toBe(1);
});

// Guarantee: nothing is cut silently, and answers without a comment hide none that has one.
test("of many comments, the newest are shown and the others are counted", async () => {
  const { customer, version, listing, read } = await givenApp();
  const answer = { listingId: listing.id, versionId: version.id, reason: "cost" as const };
  for (let at = 0; at < 60; at += 1) {
    const { tenant } = await givenTenant(platform, customer, `t${at}.core.example`, `T${at}`);
    const { installation } = await givenInstallation(platform, customer, version, tenant.id);
    const comment = at < 51 ? `Comment ${at}` : "";
    await platform.db.insert(uninstallAnswers).values({
      ...answer,
      installationId: installation.id,
      comment,
      at: new Date(Date.now() - (60 - at) * 1_000),
    });
  }
  const [cost] = (await read()).answers;
  expect([cost?.count, cost?.comments.length, cost?.moreComments]).toEqual([60, 50, 1]);
  expect(cost?.comments[0]?.text).toBe("Comment 50");
});

// Guarantee: the publisher learns why customers leave, not who.
test("the reason of an uninstall reaches the publisher without a name", async () => {
  const { customer, publisher, version, installation, read } = await givenApp();
  await uninstallInstallation(platform, customer, installation.id, {
    reason: "missing-feature",
    comment: "It reads no trailers.",
  });
  const { tenant } = await givenTenant(platform, publisher, "own.core.example");
  const own = await givenInstallation(platform, publisher, version, tenant.id);
  await uninstallInstallation(platform, publisher, own.installation.id, { reason: "cost", comment: "Ours." });
  const silent = await givenMember(platform, "alpine");
  const other = await givenInstallation(
    platform,
    silent,
    version,
    (await givenTenant(platform, silent)).tenant.id,
  );
  await uninstallInstallation(platform, silent, other.installation.id, { comment: "" });
  const { answers } = await read();
  expect(answers).toEqual([
    {
      moreComments: 0,
      reason: "missing-feature",
      count: 1,
      comments: [{ text: "It reads no trailers.", number: "1.4.0", at: expect.any(String) }],
    },
  ]);
});
