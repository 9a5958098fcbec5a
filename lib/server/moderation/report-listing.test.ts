import { expect, test } from "vitest";
import { notifications } from "@/drizzle/schema/platform";
import type { Actor } from "@/lib/domain/platform/actor";
import { givenListing, givenMember, testPlatform } from "@/tests/test-platform";
import { closeReport, listReports, reportListing } from "./report-listing";

const platform = await testPlatform();
const TEXT = { text: "It sends data to a host that it does not name." };

async function givenModerator(slug = "platform-team"): Promise<Actor> {
  const member = await givenMember(platform, slug);
  await platform.pool.query("update users set moderator = true where id = $1", [member.userId]);
  return { ...member, moderator: true, organization: undefined };
}

async function givenApps(count: number) {
  const publisher = await givenMember(platform, "acme");
  const apps = [];
  for (let at = 0; at < count; at += 1)
    apps.push(
      await givenListing(platform, publisher, { appName: `app-${at}`, state: "PUBLIC", verified: true }),
    );
  return { publisher, ids: apps.map(({ listing }) => listing.id) };
}

const actions = async () =>
  (
    await platform.pool.query<{ action: string; chain: string }>(
      "select action, chain from audit order by id",
    )
  ).rows;

// Guarantee: moderators learn of a problem with a listing, and its publisher doesn't learn who told them.
test("a report is in the queue, notifies moderators alone, and is handled once", async () => {
  const moderator = await givenModerator();
  const { ids } = await givenApps(1);
  const reporter = await givenMember(platform, "harbor");
  const { reportId } = await reportListing(platform, reporter, ids[0] ?? "", TEXT);
  const told = await platform.db.select().from(notifications);
  expect(told.map(({ userId, kind, href }) => [userId, kind, href])).toEqual([
    [moderator.userId, "report", "/moderation/reports"],
  ]);
  expect(await actions()).toEqual([{ action: "listing.report", chain: "platform" }]);
  expect(await listReports(platform, {})).toMatchObject({ open: 1, reports: [{ id: reportId, ...TEXT }] });
  await closeReport(platform, moderator, reportId);
  await expect(closeReport(platform, moderator, reportId)).rejects.toMatchObject({ code: "WRONG_STATE" });
  expect(await listReports(platform, {})).toMatchObject({ open: 0, handled: 1, reports: [] });
  expect(await listReports(platform, { state: "handled" })).toMatchObject({ reports: [{ id: reportId }] });
  expect((await actions()).map(({ action }) => action)).toEqual(["listing.report", "listing.close-report"]);
});

test("a person has one open report about a listing, and sends five a day", async () => {
  const { ids } = await givenApps(6);
  const reporter = await givenMember(platform, "harbor");
  await reportListing(platform, reporter, ids[0] ?? "", TEXT);
  // What is refused doesn't count.
  for (let at = 0; at < 6; at += 1)
    await expect(reportListing(platform, reporter, ids[0] ?? "", TEXT)).rejects.toMatchObject({
      code: "WRONG_STATE",
    });
  for (const id of ids.slice(1, 5)) await reportListing(platform, reporter, id, TEXT);
  await expect(reportListing(platform, reporter, ids[5] ?? "", TEXT)).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
    detail: expect.stringMatching(/^You reported problems with 5 apps in a day.* Try again in 24 hours\.$/),
  });
  await reportListing(platform, await givenMember(platform, "harbor"), ids[5] ?? "", TEXT);
});

test.each(["DRAFT", "SUSPENDED", "RETIRED"] as const)("a %s listing can't be reported", async (state) => {
  const { listing } = await givenListing(platform, await givenMember(platform, "acme"), { state });
  const reporter = await givenMember(platform, "harbor");
  await expect(reportListing(platform, reporter, listing.id, TEXT)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a moderator does not handle a report about their own organization's app", async () => {
  const { ids } = await givenApps(1);
  const { reportId } = await reportListing(
    platform,
    await givenMember(platform, "harbor"),
    ids[0] ?? "",
    TEXT,
  );
  await expect(closeReport(platform, await givenModerator("acme"), reportId)).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
});
