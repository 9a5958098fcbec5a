import { beforeEach, expect, test } from "vitest";
import { reviews } from "@/drizzle/schema/catalog";
import type { ReviewState } from "@/lib/contract/catalog/listing";
import type { Member } from "@/lib/domain/platform/actor";
import {
  givenInstallation,
  givenMember,
  givenOfferedApp,
  givenTenant,
  givenVersion,
  SAMPLE_ANSWERS,
  SAMPLE_APP,
  SAMPLE_TEXT,
  testPlatform,
} from "@/tests/test-platform";
import { givenWeekOfUse } from "@/tests/given-calls";
import { countListingDays } from "../insight/health/listing-figures";
import { launchInstallation } from "../installations/launch-installation";
import { readLaunch } from "../installations/read-launch";
import { listInstallations } from "../installations/list-installations";
import { readInstallation } from "../installations/read-installation";
import { readUpgrade, readUpgradePage } from "../installations/read-upgrade";
import { requestCheck } from "../installations/request-check";
import { startTrial } from "../installations/trials";
import { beginUpgrade } from "../installations/upgrade-installation";
import { changePilots, leavePilot, readPilots } from "./pilots";
import { changeVisibility } from "./visibility";
import { readMarketplaceListing } from "./marketplace";

const platform = await testPlatform();

let given: Awaited<ReturnType<typeof givenOfferedApp>>;
let publisher: Member;
let pilot: Member;
let tenantId: string;
/** Not verified. */
let next: string;
beforeEach(async () => {
  given = await givenOfferedApp(platform);
  ({ publisher, customer: pilot } = given);
  tenantId = given.tenant.id;
  next = await givenUnverified("2.0.0");
  await name("harbor");
});

const name = (...organizations: string[]) =>
  changePilots(platform, publisher, given.listing.id, { organizations });

const givenUnverified = async (number: string) =>
  (await givenVersion(platform, given.version, number, { verifiedAt: null })).id;

async function review(versionId: string, state: ReviewState): Promise<void> {
  await platform.db.insert(reviews).values({
    ...{ listingId: given.listing.id, versionId, text: SAMPLE_TEXT, state, submittedBy: publisher.userId },
  });
  if (state === "APPROVED")
    await platform.pool.query("update versions set verified_at = now() where id = $1", [versionId]);
}

const launch = (versionId: string, agrees = true, member = pilot) =>
  launchInstallation(platform, member, {
    ...{ versionId, tenantId, test: false, ...(agrees ? { pilot: true as const } : {}) },
    ...SAMPLE_ANSWERS,
  });

/** Runs the verified version. */
const install = async (member = pilot) =>
  (await givenInstallation(platform, member, given.version, tenantId)).installation.id;

const upgrade = (id: string, versionId: string, agrees = true, revision = 1) =>
  beginUpgrade(platform, pilot, id, {
    ...{ versionId, revision, mappings: {} },
    settings: { apiKey: { action: "set", value: "key" } },
    ...(agrees ? { pilot: true as const } : {}),
  });
const view = async (id: string) => {
  const { pilot: running, pilotTo, upgradeTo, version } = await readInstallation(platform, pilot, id);
  return {
    version,
    ended: running?.ended,
    verified: running?.verified?.number,
    pilotTo: pilotTo?.number,
    upgradeTo: upgradeTo?.number,
  };
};

// Guarantee: only pilots run a version before its review, and only who agrees to it.
test("a pilot launches the newest version before its review, if it agrees", async () => {
  const offer = await readLaunch(platform, pilot, SAMPLE_APP, { test: false, pilot: true });
  expect(offer).toMatchObject({ versionId: next, number: "2.0.0", pilot: true });
  // The ordinary launch has the verified one.
  const plain = await readLaunch(platform, pilot, SAMPLE_APP, { test: false });
  expect([plain.number, plain.pilot]).toEqual(["1.4.0", undefined]);
  await expect(launch(next, false)).rejects.toMatchObject({
    code: "NOT_ALLOWED",
    detail: expect.stringContaining("not reviewed yet"),
  });
  const { settings } = SAMPLE_ANSWERS;
  await expect(startTrial(platform, pilot, { versionId: next, settings })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  const { installationId } = await launch(next);
  expect(await view(installationId)).toEqual({
    ...{ version: "2.0.0", ended: null, verified: "1.4.0", pilotTo: undefined, upgradeTo: undefined },
  });
  const { rows } = await platform.pool.query<{ details: object }>(
    "select details from audit where action = 'installation.launch'",
  );
  expect(rows).toMatchObject([{ details: { pilot: true } }]);
});

test("nobody else launches or sees it", async () => {
  const stranger = await givenMember(platform, "alpine");
  tenantId = (await givenTenant(platform, stranger)).tenant.id;
  await expect(launch(next, true, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(
    readLaunch(platform, stranger, SAMPLE_APP, { test: false, pilot: true }),
  ).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const seen = (member: Member) => readMarketplaceListing(platform, member, "acme", "vin-lookup");
  expect((await seen(stranger)).piloted).toBeUndefined();
  expect((await seen(pilot)).piloted?.number).toBe("2.0.0");
  expect((await seen(pilot)).versions.map(({ number }) => number)).toEqual(["1.4.0"]);
});

test("a newer pilot version replaces an older one, and a verified one replaces both", async () => {
  const newer = await givenUnverified("2.1.0");
  await expect(launch(next)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: expect.stringContaining("2.1.0"),
  });
  await review(newer, "APPROVED");
  await expect(launch(next)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: expect.stringContaining("verified"),
  });
  await expect(readLaunch(platform, pilot, SAMPLE_APP, { test: false, pilot: true })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

// Guarantee: no upgrade leads to a version before its review unless somebody chose it and agreed.
test("an upgrade to a pilot version is offered, never by default, and needs an agreement", async () => {
  const id = await install();
  expect(await view(id)).toMatchObject({ pilotTo: "2.0.0", upgradeTo: undefined });
  expect((await readUpgradePage(platform, pilot, id)).offer).toBeUndefined();
  expect((await listInstallations(platform, pilot)).installations).toMatchObject([{ upgradeTo: null }]);
  expect((await readUpgrade(platform, pilot, id, next)).to).toMatchObject({ number: "2.0.0", pilot: true });
  await expect(upgrade(id, next, false)).rejects.toMatchObject({
    code: "BAD_INPUT",
    detail: expect.stringContaining("not reviewed yet"),
  });
  // Nor does the app see the settings before.
  const input = { for: "installation", installationId: id, revision: 1, versionId: next } as const;
  const check = requestCheck(platform, pilot, { ...input, settings: {}, mappings: {} });
  await expect(check).rejects.toMatchObject({ detail: expect.stringContaining("not reviewed yet") });
  await platform.pool.query("update installations set state = 'STOPPED'");
  await upgrade(id, next);
  expect(await view(id)).toMatchObject({ version: "2.0.0", ended: null, verified: "1.4.0" });
});

test.each(["REJECTED", "CHANGES_REQUESTED", "WITHDRAWN", "APPROVED"] as const)(
  "a version whose review ended as %s",
  async (state) => {
    const { installationId } = await launch(next);
    const other = (await givenTenant(platform, pilot, "second.example", "Second")).tenant.id;
    const { installation } = await givenInstallation(platform, pilot, given.version, other);
    await review(next, "PENDING");
    expect(await view(installationId)).toMatchObject({ ended: null });
    await review(next, state);
    tenantId = (await givenTenant(platform, pilot, "third.example", "Third")).tenant.id;
    await platform.pool.query("update installations set state = 'STOPPED'");
    if (state === "APPROVED") {
      expect(await view(installationId)).toMatchObject({ ended: undefined });
      await launch(next, false);
      return;
    }
    // What runs goes on, and says what is next; nobody gets there anymore.
    expect(await view(installationId)).toEqual({
      ...{ version: "2.0.0", ended: "REFUSED", verified: "1.4.0", pilotTo: undefined, upgradeTo: undefined },
    });
    await expect(launch(next)).rejects.toMatchObject({
      code: "NOT_ALLOWED",
      detail: expect.stringContaining("without approval"),
    });
    await expect(upgrade(installation.id, next)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await upgrade(installationId, given.version.id, false);
    expect(await view(installationId)).toMatchObject({ version: "1.4.0", ended: undefined });
  },
);

// Guarantee: an organization ends its pilot itself, and both sides know.
test("a pilot leaves", async () => {
  const { installationId } = await launch(next);
  await expect(leavePilot(platform, publisher, given.listing.id)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await leavePilot(platform, pilot, given.listing.id);
  await expect(leavePilot(platform, pilot, given.listing.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await readPilots(platform, given.listing.id)).toEqual([]);
  expect(await view(installationId)).toMatchObject({ ended: "LEFT", verified: "1.4.0" });
  tenantId = (await givenTenant(platform, pilot, "second.example", "Second")).tenant.id;
  await expect(launch(next)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { rows } = await platform.pool.query<{ chain: string; action: string }>(
    "select chain, action from audit where action like '%pilot%' order by id",
  );
  expect(rows.map(({ chain, action }) => [chain === pilot.organization.id, action]).sort()).toEqual([
    [false, "listing.change-pilots"],
    [false, "listing.leave-pilot"],
    [true, "listing.leave-pilot"],
  ]);
  const told = await platform.pool.query("select user_id, title from notifications order by created_at");
  expect(told.rows).toEqual([
    { user_id: pilot.userId, title: "Your organization is a pilot of VIN lookup" },
    { user_id: publisher.userId, title: "harbor left the pilot of VIN lookup" },
  ]);
});

test("the publisher removes a pilot, and names no unknown organization", async () => {
  const { installationId } = await launch(next);
  await expect(name("harbor", "nobody")).rejects.toMatchObject({ code: "BAD_INPUT" });
  await name("alpine-2").catch(() => undefined);
  expect(await readPilots(platform, given.listing.id)).toEqual([{ slug: "harbor", name: "harbor" }]);
  await name();
  expect(await view(installationId)).toMatchObject({ ended: "LEFT" });
});

test("only what was verified once has pilots", async () => {
  await platform.pool.query("update listings set state = 'DRAFT'");
  await expect(name()).rejects.toMatchObject({ code: "WRONG_STATE" });
  await expect(changePilots(platform, pilot, given.listing.id, { organizations: [] })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a pilot sees an app that is shown to named organizations only", async () => {
  await changeVisibility(platform, publisher, given.listing.id, { visibility: "NAMED", organizations: [] });
  expect((await readLaunch(platform, pilot, SAMPLE_APP, { test: false, pilot: true })).number).toBe("2.0.0");
});

// Guarantee: what nobody verified counts in no figure that others see.
test("pilots don't count as users", async () => {
  for (const slug of ["a1", "a2", "a3", "a4"]) {
    const member = await givenMember(platform, slug);
    const { tenant } = await givenTenant(platform, member);
    await givenInstallation(platform, member, given.version, tenant.id);
  }
  await launch(next);
  await givenWeekOfUse(platform);
  const usedBy = async () => {
    await countListingDays(platform);
    return (await platform.pool.query<{ used_by: number }>("select used_by from listings")).rows[0]?.used_by;
  };
  expect(await usedBy()).toBe(0);
  await review(next, "APPROVED");
  expect(await usedBy()).toBe(5);
});
