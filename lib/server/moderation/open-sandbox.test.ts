import { beforeEach, expect, test } from "vitest";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { type Actor, isMember, type Member } from "@/lib/domain/platform/actor";
import {
  givenListing,
  givenMember,
  givenVersion,
  one,
  SAMPLE_ANSWERS,
  SAMPLE_APP,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { readActor } from "../accounts/sessions";
import { launchInstallation } from "../installations/launch-installation";
import { readLaunch } from "../installations/read-launch";
import { readInstallation } from "../installations/read-installation";
import { decideReview } from "./decide-review";
import { withdrawReview } from "./end-review";
import { openSandbox } from "./open-sandbox";
import { selectModeration } from "./sandbox-queries";
import { submitReview } from "./submit-review";

/** Nothing listens there: the sandbox tenant is inserted by the tests. */
const platform = await testPlatform({ PLATFORM_SANDBOX_CORE_URL: "http://127.0.0.1:9" });

let publisher: Member;
let reviewId: string;
let version: Awaited<ReturnType<typeof givenListing>>["version"];
let versionId: string;
beforeEach(async () => {
  publisher = await givenMember(platform, "acme");
  const given = await givenListing(platform, publisher);
  version = given.version;
  versionId = version.id;
  ({ reviewId } = await submitReview(platform, publisher, given.listing.id, { versionId }));
});

async function givenModerator(slug = "watch"): Promise<Actor> {
  const member = await givenMember(platform, slug);
  await platform.pool.query("update users set moderator = true where id = $1", [member.userId]);
  return { ...member, moderator: true };
}

/** The moderator after a first press, and the moderators' sandbox tenant. */
async function enter(moderator: Actor): Promise<{ member: Member; tenantId: string }> {
  await openSandbox(platform, moderator, reviewId).catch((error: unknown) =>
    expect(error).toMatchObject({ code: "CORE_FAILED" }),
  );
  const organizationId = (await selectModeration(platform.db))?.id ?? "";
  const row = {
    organizationId,
    name: "Sandbox",
    hostName: "moderation.sandbox",
    coreApiUrl: "http://x",
    sandbox: true,
  };
  const [present] = await platform.db.select().from(tenants);
  const tenant = present ?? one(await platform.db.insert(tenants).values(row).returning());
  const member = await readActor(platform, moderator.sessionId);
  if (member === undefined || !isMember(member)) throw new Error("the session works in no organization");
  return { member, tenantId: tenant.id };
}

async function launch(moderator: Actor) {
  const { member, tenantId } = await enter(moderator);
  const input = { versionId, tenantId, test: true, ...SAMPLE_ANSWERS, mappings: {} };
  return { member, tenantId, ...(await launchInstallation(platform, member, input)) };
}

const stateOf = async (member: Member, id: string) => (await readInstallation(platform, member, id)).state;

test("a moderator launches the version under review with the usual wizard, and opens it again", async () => {
  const moderator = await givenModerator();
  const { member, tenantId } = await enter(moderator);
  expect(member.organization).toMatchObject({ name: "Moderation", role: "operator", moderation: true });
  expect(await openSandbox(platform, moderator, reviewId)).toEqual({
    href: `/launch/acme/vin-lookup?test=1&version=${versionId}`,
  });
  const offer = await readLaunch(platform, member, SAMPLE_APP, { test: true, versionId });
  expect([offer.number, offer.tenants.map(({ id, sandbox }) => [id, sandbox])]).toEqual([
    SAMPLE_MANIFEST.version,
    [[tenantId, true]],
  ]);
  const { installationId } = await launch(moderator);
  expect(await openSandbox(platform, moderator, reviewId)).toEqual({
    href: `/installations/${installationId}`,
  });
});

test("all moderators share one organization, however many enter at the same time", async () => {
  const moderators = await Promise.all(["one", "two", "three"].map(givenModerator));
  await Promise.allSettled(moderators.map((each) => openSandbox(platform, each, reviewId)));
  const { rows } = await platform.pool.query(
    "select count(distinct o.id)::int as organizations, count(*)::int as members from organizations o join memberships m on m.organization_id = o.id where moderation",
  );
  expect(rows).toEqual([{ organizations: 1, members: 3 }]);
});

test("a publisher who took the name does not become the moderators' organization", async () => {
  const squatter = await givenMember(platform, "moderation");
  const { member } = await enter(await givenModerator());
  expect(member.organization).toMatchObject({ slug: "moderation-2" });
  expect(member.organization.id).not.toBe(squatter.organization.id);
});

// Guarantee: only its publisher can launch a version that was not submitted, even while another version of the app is
// under review.
test("moderators launch only what is under review, for tests only", async () => {
  const { member, tenantId } = await enter(await givenModerator());
  const other = await givenListing(platform, publisher, { appName: "secret" });
  const input = { versionId: other.version.id, tenantId, test: true, ...SAMPLE_ANSWERS, mappings: {} };
  await expect(launchInstallation(platform, member, input)).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const [app, test] of [
    [{ organization: "acme", app: "secret" }, true],
    [SAMPLE_APP, false],
  ] as const)
    await expect(readLaunch(platform, member, app, { test })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await withdrawReview(platform, publisher, reviewId);
  await expect(readLaunch(platform, member, SAMPLE_APP, { test: true, versionId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a moderator's launch can't be upgraded to a version that nobody submitted", async () => {
  const { member, installationId } = await launch(await givenModerator());
  await givenVersion(platform, version, "9.0.0");
  expect((await readInstallation(platform, member, installationId)).upgradeTo).toBeNull();
});

// Guarantee: nothing of a review keeps running after it.
test.each(["withdraw", "approve", "return", "reject"] as const)(
  "it is removed when the review ends: %s",
  async (how) => {
    const moderator = await givenModerator();
    const { member, installationId } = await launch(moderator);
    const key = "select key_epoch from installations where id = $1";
    const before = (await platform.pool.query<{ key_epoch: number }>(key, [installationId])).rows[0]
      ?.key_epoch;
    if (how === "withdraw") await withdrawReview(platform, publisher, reviewId);
    else await decideReview(platform, moderator, reviewId, { decision: how, note: "See the comments." });
    expect(await stateOf(member, installationId)).toBe("UNINSTALLING");
    const after = (await platform.pool.query<{ key_epoch: number }>(key, [installationId])).rows[0]
      ?.key_epoch;
    expect(after).toBeGreaterThan(before ?? 0);
  },
);

test("it is removed also while it is being stopped; a publisher's own Test Launch stays", async () => {
  const { member, tenantId, installationId } = await launch(await givenModerator());
  await platform.pool.query("update installations set state = 'STOPPING'");
  const own = await platform.pool.query<{ id: string }>(
    `insert into installations (id, organization_id, tenant_id, listing_id, version_id, test, state, created_by)
     select gen_random_uuid(), $1, $2, listing_id, version_id, false, 'RUNNING', $3 from installations returning id`,
    [publisher.organization.id, tenantId, publisher.userId],
  );
  await withdrawReview(platform, publisher, reviewId);
  expect(await stateOf(member, installationId)).toBe("UNINSTALLING");
  const { rows } = await platform.pool.query("select state from installations where id = $1", [
    own.rows[0]?.id,
  ]);
  expect(rows).toEqual([{ state: "RUNNING" }]);
});

test("a former moderator no longer works in the moderators' organization", async () => {
  const moderator = await givenModerator();
  const { member } = await enter(moderator);
  await platform.pool.query("update users set moderator = false");
  expect(await readActor(platform, moderator.sessionId)).not.toHaveProperty("organization");
  const demoted = { ...member, moderator: false };
  await expect(readLaunch(platform, demoted, SAMPLE_APP, { test: true, versionId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("the sandbox is for pending reviews of other organizations' versions", async () => {
  const own = { ...publisher, moderator: true };
  await expect(openSandbox(platform, own, reviewId)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  const moderator = await givenModerator();
  const environment = { ...platform.environment, PLATFORM_SANDBOX_CORE_URL: "" };
  await expect(openSandbox({ ...platform, environment }, moderator, reviewId)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    detail: expect.stringContaining("PLATFORM_SANDBOX_CORE_URL"),
  });
  await withdrawReview(platform, publisher, reviewId);
  await expect(openSandbox(platform, moderator, reviewId)).rejects.toMatchObject({ code: "WRONG_STATE" });
});
