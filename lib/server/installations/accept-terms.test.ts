import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { listings } from "@/drizzle/schema/catalog";
import { termsAcceptances } from "@/drizzle/schema/installations";
import { audit } from "@/drizzle/schema/platform";
import type { LaunchInput } from "@/lib/contract/catalog/configuration";
import type { Terms } from "@/lib/contract/catalog/listing";
import { NO_TERMS } from "@/lib/domain/catalog/terms";
import type { Actor } from "@/lib/domain/platform/actor";
import { givenMember, givenTenant, SAMPLE_APP, SAMPLE_TEXT, testPlatform } from "@/tests/test-platform";
import { givenUpgradeWorld } from "@/tests/upgrade-world";
import { advanceInstallations } from "@/tests/work";
import { saveText } from "../catalog/listing-text";
import { decideReview } from "../moderation/decide-review";
import { submitText } from "../moderation/submit-review";
import { acceptTerms, listAcceptances } from "./accept-terms";
import { stopInstallation } from "./command-installation";
import { launchInstallation } from "./launch-installation";
import { readLaunch } from "./read-launch";
import { readInstallation } from "./read-installation";
import { readUpgrade } from "./read-upgrade";
import { startTrial } from "./trials";
import { retryUpgrade } from "./upgrade-installation";

const platform = await testPlatform();
const FIRST_TERMS: Terms = { url: "https://acme.example/terms/1", version: "2026-11" };
const NEW_TERMS: Terms = { url: "https://acme.example/terms/2", version: "2026-12" };

let world: Awaited<ReturnType<typeof givenUpgradeWorld>>;
beforeEach(async () => {
  world = await givenUpgradeWorld(platform);
});

const setTerms = (terms: Terms) =>
  platform.db.update(listings).set({ terms }).where(eq(listings.id, world.listing.id));
const acceptances = () => platform.db.select().from(termsAcceptances).orderBy(termsAcceptances.id);

async function launchInput(
  changes: Partial<LaunchInput> = {},
  member = world.customer,
): Promise<LaunchInput> {
  const name = v7();
  const { tenant } = await givenTenant(platform, member, `${name}.example`, name);
  return {
    versionId: world.second.id,
    tenantId: tenant.id,
    test: false,
    settings: { region: { action: "set", value: "eu" }, label: { action: "set", value: "new" } },
    mappings: { "Personal Auto": { vin: "$.vin" } },
    ...changes,
  };
}

// Guarantee: nobody launches an app without accepting its terms, and what was accepted, by whom and when is kept.
test("a launch records the terms that were accepted", async () => {
  await setTerms(FIRST_TERMS);
  expect((await readLaunch(platform, world.customer, SAMPLE_APP, { test: false })).terms).toEqual(
    FIRST_TERMS,
  );
  const input = await launchInput();
  await expect(launchInstallation(platform, world.customer, input)).rejects.toMatchObject({
    code: "BAD_INPUT",
    issues: [{ code: "terms-accept", pointer: "/acceptedTerms" }],
  });
  const { installationId } = await launchInstallation(platform, world.customer, {
    ...input,
    acceptedTerms: FIRST_TERMS,
  });
  expect(await acceptances()).toMatchObject([
    {
      ...FIRST_TERMS,
      organizationId: world.customer.organization.id,
      listingId: world.listing.id,
      installationId,
      acceptedBy: world.customer.userId,
    },
  ]);
  const [row] = await platform.db.select().from(audit).where(eq(audit.action, "terms.accept"));
  expect(row).toMatchObject({
    chain: world.customer.organization.id,
    actor: `user:${world.customer.userId}`,
    subject: `installation:${installationId}`,
    details: { ...FIRST_TERMS, listingId: world.listing.id },
  });
  expect(await listAcceptances(platform, world.customer, installationId)).toMatchObject({
    acceptances: [{ ...FIRST_TERMS, acceptedBy: world.customer.name }],
    more: 0,
  });
  expect((await readInstallation(platform, world.customer, installationId)).newTerms).toBeNull();
});

// Guarantee: nobody accepts terms that they were not shown.
test("terms that change during a launch refuse it, and nothing is stored", async () => {
  await setTerms(FIRST_TERMS);
  const input = await launchInput({ acceptedTerms: FIRST_TERMS });
  await setTerms(NEW_TERMS);
  await expect(launchInstallation(platform, world.customer, input)).rejects.toMatchObject({
    code: "TERMS_CHANGED",
    detail: expect.stringContaining("version 2026-12 (https://acme.example/terms/2)"),
  });
  expect(await acceptances()).toEqual([]);
  const installed = await platform.pool.query("select from installations");
  expect(installed.rowCount).toBe(0);
  await launchInstallation(platform, world.customer, { ...input, acceptedTerms: NEW_TERMS });
  expect(await acceptances()).toMatchObject([NEW_TERMS]);
});

test.each([
  ["the same version at another link", { ...FIRST_TERMS, url: NEW_TERMS.url }],
  ["another version at the same link", { ...FIRST_TERMS, version: NEW_TERMS.version }],
])("%s is another agreement", async (_what, changed) => {
  await setTerms(changed);
  const input = await launchInput({ acceptedTerms: FIRST_TERMS });
  await expect(launchInstallation(platform, world.customer, input)).rejects.toMatchObject({
    code: "TERMS_CHANGED",
  });
});

test("terms that were removed meanwhile are not recorded, and the launch goes on", async () => {
  await setTerms(NO_TERMS);
  const input = await launchInput({ acceptedTerms: FIRST_TERMS });
  await launchInstallation(platform, world.customer, input);
  expect(await acceptances()).toEqual([]);
});

test("Test Launches, trials, and the publisher's own installations are not asked", async () => {
  await setTerms(FIRST_TERMS);
  const { publisher } = world;
  for (const test of [true, false]) {
    expect((await readLaunch(platform, publisher, SAMPLE_APP, { test })).terms).toBeUndefined();
    await launchInstallation(platform, publisher, await launchInput({ test }, publisher));
  }
  const { settings } = await launchInput();
  await startTrial(platform, world.customer, { versionId: world.second.id, settings });
  expect(await acceptances()).toEqual([]);
});

// Guarantee: new terms are a question of its own, which nothing answers for the customer, and what runs goes on.
test("new terms are shown on the installation, which keeps running, and can be accepted there", async () => {
  const id = await world.launch();
  await setTerms(FIRST_TERMS);
  expect(await readInstallation(platform, world.customer, id)).toMatchObject({
    newTerms: FIRST_TERMS,
    state: "RUNNING",
  });
  await expect(acceptTerms(platform, world.customer, id, NEW_TERMS)).rejects.toMatchObject({
    code: "TERMS_CHANGED",
  });
  await acceptTerms(platform, world.customer, id, FIRST_TERMS);
  await acceptTerms(platform, world.customer, id, FIRST_TERMS);
  expect(await acceptances()).toMatchObject([FIRST_TERMS]);
  expect((await readInstallation(platform, world.customer, id)).newTerms).toBeNull();
  await setTerms(NEW_TERMS);
  expect((await readInstallation(platform, world.customer, id)).newTerms).toEqual(NEW_TERMS);
});

test("only those who operate an installation accept its terms, and only while it exists", async () => {
  const id = await world.launch();
  await setTerms(FIRST_TERMS);
  const reader = await givenMember(platform, "harbor", "publisher");
  await expect(acceptTerms(platform, reader, id, FIRST_TERMS)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  const stranger = await givenMember(platform, "other");
  await expect(acceptTerms(platform, stranger, id, FIRST_TERMS)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await acceptTerms(platform, world.customer, id, FIRST_TERMS);
  expect((await listAcceptances(platform, world.customer, id)).acceptances).toHaveLength(1);
  expect(await listAcceptances(platform, stranger, id)).toEqual({ acceptances: [], more: 0 });
  await platform.pool.query("update installations set state = 'UNINSTALLED'");
  await expect(acceptTerms(platform, world.customer, id, FIRST_TERMS)).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
  expect(await acceptances()).toHaveLength(1);
});

test("a list of many acceptances says how many it leaves out", async () => {
  const id = await world.launch();
  for (let number = 1; number <= 22; number += 1) {
    const terms = { ...FIRST_TERMS, version: `next-${number}` };
    await setTerms(terms);
    await acceptTerms(platform, world.customer, id, terms);
  }
  const { acceptances: shown, more } = await listAcceptances(platform, world.customer, id);
  expect([shown.length, more]).toEqual([20, 2]);
});

test("an upgrade asks for terms that were not accepted yet, and a rollback never does", async () => {
  const id = await world.launch();
  // Then it moves at once.
  await stopInstallation(platform, world.customer, id);
  await advanceInstallations(platform, world.fake.runtimes);
  await setTerms(FIRST_TERMS);
  expect((await readUpgrade(platform, world.customer, id)).newTerms).toEqual(FIRST_TERMS);
  await expect(world.begin(id)).rejects.toMatchObject({
    code: "BAD_INPUT",
    issues: [{ code: "terms-accept" }],
  });
  await expect(world.begin(id, { acceptedTerms: NEW_TERMS })).rejects.toMatchObject({
    code: "TERMS_CHANGED",
  });
  expect(await acceptances()).toEqual([]);
  await world.begin(id, { acceptedTerms: FIRST_TERMS });
  expect(await acceptances()).toMatchObject([{ ...FIRST_TERMS, installationId: id }]);
  await setTerms(NEW_TERMS);
  const back = await readUpgrade(platform, world.customer, id, world.first.id);
  expect(back).toMatchObject({ rollback: true });
  expect(back.newTerms).toBeUndefined();
  await world.begin(id, { versionId: world.first.id, settings: {} });
  expect(await acceptances()).toHaveLength(1);
});

test("a failed upgrade is not retried past new terms", async () => {
  const id = await world.launch();
  await world.begin(id);
  await platform.pool.query("update upgrades set state = 'FAILED', ended_at = now()");
  await platform.pool.query("update installations set other_version_id = null");
  await setTerms(FIRST_TERMS);
  await expect(retryUpgrade(platform, world.customer, id)).rejects.toMatchObject({ code: "TERMS_CHANGED" });
  await acceptTerms(platform, world.customer, id, FIRST_TERMS);
  await retryUpgrade(platform, world.customer, id);
});

// Guarantee: no code of the platform changes what was accepted.
test.each(["update terms_acceptances set version = 'x'", "delete from terms_acceptances"])(
  "the database refuses: %s",
  async (statement) => {
    await setTerms(FIRST_TERMS);
    await launchInstallation(platform, world.customer, await launchInput({ acceptedTerms: FIRST_TERMS }));
    await expect(platform.pool.query(statement)).rejects.toThrow(/never changes/);
    expect(await acceptances()).toMatchObject([FIRST_TERMS]);
  },
);

// Guarantee: what a customer reads and what is recorded are the same, also when a change is approved in that moment.
test("a launch waits for a change of the terms that is being approved, and is refused", async () => {
  await setTerms(FIRST_TERMS);
  const input = await launchInput({ acceptedTerms: FIRST_TERMS });
  const approval = await platform.pool.connect();
  try {
    await approval.query("begin");
    await approval.query("update listings set terms = $1", [JSON.stringify(NEW_TERMS)]);
    const launch = launchInstallation(platform, world.customer, input);
    const refused = expect(launch).rejects.toMatchObject({ code: "TERMS_CHANGED" });
    await expect
      .poll(async () => (await platform.pool.query("select from pg_locks where not granted")).rowCount)
      .toBeGreaterThan(0);
    await approval.query("commit");
    await refused;
  } finally {
    approval.release();
  }
  expect(await acceptances()).toEqual([]);
});

test("the terms of a public listing change with a review only", async () => {
  const { publisher, listing } = world;
  const text = { ...SAMPLE_TEXT, terms: FIRST_TERMS };
  const { revision } = await saveText(platform, publisher, listing.id, { text, revision: 0 });
  const termsOf = async () => (await platform.db.select({ terms: listings.terms }).from(listings))[0]?.terms;
  expect(await termsOf()).toEqual(NO_TERMS);
  const { reviewId } = await submitText(platform, publisher, listing.id, { revision, note: "" });
  expect(await termsOf()).toEqual(NO_TERMS);
  const moderator: Actor = { ...(await givenMember(platform, "judges")), moderator: true };
  await decideReview(platform, moderator, reviewId, { decision: "approve", note: "" });
  expect(await termsOf()).toEqual(FIRST_TERMS);
});
