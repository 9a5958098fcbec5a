import { beforeEach, describe, expect, test } from "vitest";
import { visibilityInput, type VisibilityInput } from "@/lib/contract/catalog/listing";
import { parseMarketplaceFilter } from "@/lib/domain/catalog/marketplace";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  givenVersion,
  SAMPLE_ANSWERS,
  SAMPLE_APP,
  testPlatform,
} from "@/tests/test-platform";
import { givenWeekOfUse } from "@/tests/given-calls";
import { countListingDays } from "../insight/health/listing-figures";
import { launchInstallation } from "../installations/launch-installation";
import { readLaunch } from "../installations/read-launch";
import { readUpgrade } from "../installations/read-upgrade";
import { readTrial, startTrial } from "../installations/trials";
import { reportListing } from "../moderation/report-listing";
import { findAnything } from "../surface/find-anything";
import {
  listNaming,
  listNewest,
  listOfPublisher,
  readMarketplaceListing,
  readPublisher,
  searchMarketplace,
} from "./marketplace";
import { writeSitemap, writeSitemapIndex } from "./sitemap";
import { serveSocialImage } from "./social-image";
import { changeVisibility, readVisibility, renewLink } from "./visibility";

const platform = await testPlatform();

let publisher: Member;
let customer: Member;
let stranger: Member;
let given: Awaited<ReturnType<typeof givenListing>>;
beforeEach(async () => {
  publisher = await givenMember(platform, "acme");
  customer = await givenMember(platform, "harbor");
  stranger = await givenMember(platform, "alpine");
  given = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
});

const show = (input: VisibilityInput) => changeVisibility(platform, publisher, given.listing.id, input);
const sees = (actor: Actor | undefined, link?: string) =>
  readMarketplaceListing(platform, actor, "acme", "vin-lookup", undefined, link).then(
    ({ mayLaunch }) => (mayLaunch ? "launches" : "sees"),
    (error: { code: string; detail: string }) => `${error.code} ${error.detail}`,
  );
const NOTHING = "NOT_FOUND This does not exist, or you do not have access to it.";

async function readLink(): Promise<string> {
  const row = { ...given.listing, organizationSlug: "acme" };
  const { link = "" } = await readVisibility(platform, row);
  return new URL(link).searchParams.get("link") ?? "";
}

async function install(member: Member) {
  const { tenant } = await givenTenant(platform, member);
  return givenInstallation(platform, member, given.version, tenant.id);
}

const launchInput = (tenantId: string, link?: string) => ({
  versionId: given.version.id,
  ...{ tenantId, test: false, link },
  ...SAMPLE_ANSWERS,
});

const auditOf = async (member: Member) => {
  const { rows } = await platform.pool.query<{ action: string; details: unknown }>(
    "select action, details from audit where chain = $1 order by position",
    [member.organization.id],
  );
  return rows.map(({ action, details }) => [action, details]);
};

/** Everything that tells people of listings whom nobody told of this one. */
async function findEverywhere(member: Member) {
  const filter = parseMarketplaceFilter({ q: "vin" });
  const { listings, total, categories, similar } = await searchMarketplace(platform, filter);
  const { groups } = await findAnything(platform, member, "vin");
  const files = await (await writeSitemapIndex(platform)).text();
  const publishers = await (await writeSitemap(platform, "publishers.xml")).text();
  const sitemap = await (await writeSitemap(platform, `${given.listing.id}.xml`)).text();
  return {
    search: [listings.length, total.count, categories, similar],
    newest: (await listNewest(platform, 10)).length,
    publisher: await readPublisher(platform, "acme").then(
      ({ apps }) => apps,
      ({ code }: { code: string }) => code,
    ),
    ofPublisher: (await listOfPublisher(platform, publisher.organization.id)).listings.length,
    palette: groups.map(({ title }) => title).filter((title) => title !== "Documentation"),
    sitemaps: [files, publishers, sitemap].map((xml) => /acme|[0-9a-f-]{36}/.test(xml)),
    preview: await serveSocialImage(platform, "acme", "vin-lookup").then(
      () => "drawn",
      ({ code }: { code: string }) => code,
    ),
  };
}

const NOWHERE = {
  search: [0, 0, {}, false],
  newest: 0,
  publisher: "NOT_FOUND",
  ofPublisher: 0,
  palette: [],
  sitemaps: [false, false, false],
  preview: "NOT_FOUND",
};

describe("a listing that is shown by link", () => {
  // Guarantee: nothing leads to it but its link, and a wrong link is no different from an unknown app.
  test("is found nowhere, and its page opens with the current link only", async () => {
    expect(await findEverywhere(stranger)).not.toEqual(NOWHERE);
    await show({ visibility: "LINK" });
    expect(await findEverywhere(stranger)).toEqual(NOWHERE);
    const link = await readLink();
    expect(link).toMatch(/^[\w-]{43}$/);
    for (const actor of [undefined, stranger, customer]) {
      expect(await sees(actor, link)).toBe("launches");
      for (const guess of [undefined, "", `${link}x`, link.slice(1), link.toUpperCase(), "\u{1f600}"])
        expect(await sees(actor, guess)).toBe(NOTHING);
    }
    expect(await sees(publisher)).toBe("launches");
    expect(await sees({ ...stranger, moderator: true })).toBe("sees");
    await renewLink(platform, publisher, given.listing.id);
    expect(await sees(stranger, link)).toBe(NOTHING);
    expect(await sees(stranger, await readLink())).toBe("launches");
    await show({ visibility: "EVERYONE" });
    expect(await sees(undefined, "anything")).toBe("launches");
    // The link is kept for the next time.
    const kept = await readLink();
    await show({ visibility: "LINK" });
    expect(await readLink()).toBe(kept);
    expect((await auditOf(publisher)).map(([action]) => action)).toEqual([
      "listing.change-visibility",
      "listing.renew-link",
      "listing.change-visibility",
      "listing.change-visibility",
    ]);
  });

  // Guarantee: a stolen dump and the audit trail open no listing.
  test("has a token that is stored sealed", async () => {
    await show({ visibility: "LINK" });
    const link = await readLink();
    // The hash is of 256 random bits.
    const { rows } = await platform.pool.query("select * from listings, audit");
    const dump = JSON.stringify(rows);
    for (const form of [
      link,
      Buffer.from(link).toString("base64"),
      Buffer.from(link, "base64url").toString("hex"),
    ])
      expect(dump).not.toContain(form);
  });

  // Guarantee: who tried an app with its link launches it from the trial, until the link is renewed. The database doesn't have the link.
  test("is launched from a trial that was started with its link", async () => {
    await show({ visibility: "LINK" });
    const link = await readLink();
    const { id: versionId } = given.version;
    const settings = {
      region: { action: "set", value: "eu" },
      apiKey: { action: "set", value: "key" },
    } as const;
    const { installationId: carryFrom } = await startTrial(platform, stranger, { versionId, settings, link });
    const read = async (member: Member) =>
      (await readLaunch(platform, member, SAMPLE_APP, { test: false, carryFrom })).link;
    expect(await read(stranger)).toBe(link);
    await expect(read(customer)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const { tenant } = await givenTenant(platform, stranger);
    await launchInstallation(platform, stranger, { ...launchInput(tenant.id, link), carryFrom });
    const { rows } = await platform.pool.query("select * from tenants, installations, audit");
    expect(JSON.stringify(rows)).not.toContain(link);

    await renewLink(platform, publisher, given.listing.id);
    await expect(read(stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await show({ visibility: "EVERYONE" });
    expect(await read(stranger)).toBeUndefined();
  });

  // Guarantee: what was installed before goes on, and a new launch needs the link.
  test("goes on where it is installed, and is launched with its link only", async () => {
    const { installation } = await install(customer);
    const { tenant } = await givenTenant(platform, customer, "second.example", "Second");
    const { tenant: other } = await givenTenant(platform, stranger);
    await show({ visibility: "LINK" });
    const link = await readLink();
    expect(await sees(customer)).toBe("sees");
    await expect(readLaunch(platform, customer, SAMPLE_APP, { test: false })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(readTrial(platform, stranger, SAMPLE_APP, "wrong")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await readLaunch(platform, stranger, SAMPLE_APP, { test: false, link })).link).toBe(link);
    expect((await readTrial(platform, stranger, SAMPLE_APP, link)).link).toBe(link);
    for (const wrong of [undefined, "wrong"])
      await expect(
        launchInstallation(platform, customer, launchInput(tenant.id, wrong)),
      ).rejects.toMatchObject({ code: "NOT_ALLOWED", detail: expect.stringContaining("current link") });
    await launchInstallation(platform, stranger, launchInput(other.id, link));
    const version = await givenVersion(platform, given.version, "1.5.0");
    expect((await readUpgrade(platform, customer, installation.id)).to.versionId).toBe(version.id);
  });

  test("is reported by those who see it only", async () => {
    await show({ visibility: "LINK" });
    const report = (link?: string) =>
      reportListing(platform, stranger, given.listing.id, { text: "It sends spam.", link });
    await expect(report()).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(report("wrong")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await report(await readLink());
  });

  test("counts nowhere in the figures of use", async () => {
    for (const slug of ["a1", "a2", "a3", "a4", "a5", "a6"]) await install(await givenMember(platform, slug));
    await givenWeekOfUse(platform);
    await countListingDays(platform);
    const usedBy = async () => (await platform.pool.query("select used_by from listings")).rows[0];
    expect(await usedBy()).toEqual({ used_by: 6 });
    await show({ visibility: "LINK" });
    expect(await usedBy()).toEqual({ used_by: 0 });
    await countListingDays(platform);
    expect(await usedBy()).toEqual({ used_by: 0 });
  });
});

describe("a listing for named organizations", () => {
  test("is counted where there are too many to list", async () => {
    for (let number = 0; number < 14; number += 1) {
      const { listing } = await givenListing(platform, publisher, {
        ...{ state: "PUBLIC", verified: true, appName: `app-${number}` },
      });
      await changeVisibility(platform, publisher, listing.id, {
        visibility: "NAMED",
        organizations: ["harbor"],
      });
    }
    const { listings, more } = await listNaming(platform, customer, { search: "", category: undefined });
    expect([listings.length, more]).toEqual([12, 2]);
  });

  // Guarantee: only they see it, in their lists too, and nobody else learns of it.
  test("is seen by these and its own only", async () => {
    await show({ visibility: "NAMED", organizations: ["harbor", "harbor", "acme"] });
    expect(await findEverywhere(stranger)).toEqual(NOWHERE);
    expect(await sees(customer)).toBe("launches");
    expect(await sees(publisher)).toBe("launches");
    for (const actor of [undefined, stranger, { ...customer, lacksSecondFactor: true }])
      expect(await sees(actor)).toBe(NOTHING);
    const list = async (member: Member, search = "") =>
      (await listNaming(platform, member, { search, category: undefined })).listings.map(
        ({ title }) => title,
      );
    expect(await list(customer)).toEqual(["VIN lookup"]);
    expect(await list(customer, "vin")).toEqual(["VIN lookup"]);
    for (const search of ["other", "-"]) expect(await list(customer, search)).toEqual([]);
    expect(await list(stranger)).toEqual([]);
    expect((await findAnything(platform, customer, "vin")).groups[0]?.title).toBe("Apps");
    await show({ visibility: "NAMED", organizations: ["alpine"] });
    expect([await sees(customer), await sees(stranger)]).toEqual([NOTHING, "launches"]);
    // Without a list, those named before stay.
    await show({ visibility: "EVERYONE" });
    await show({ visibility: "NAMED" });
    expect([await sees(customer), await sees(stranger)]).toEqual([NOTHING, "launches"]);
    expect((await auditOf(publisher)).slice(0, 2)).toEqual([
      ["listing.change-visibility", { from: "EVERYONE", to: "NAMED", added: ["harbor"], removed: [] }],
      ["listing.change-visibility", { from: "NAMED", to: "NAMED", added: ["alpine"], removed: ["harbor"] }],
    ]);
  });

  // Guarantee: a name that is no organization's changes nothing, and the answer says which one it is.
  test("refuses unknown organizations and more than 100", async () => {
    await expect(show({ visibility: "NAMED", organizations: ["harbor", "nobody"] })).rejects.toMatchObject({
      code: "BAD_INPUT",
      detail: expect.stringContaining("“nobody”"),
      issues: [expect.objectContaining({ pointer: "/organizations/1" })],
    });
    expect(await sees(stranger)).toBe("launches");
    expect(await auditOf(publisher)).toEqual([]);
    const many = Array.from({ length: 10_000 }, (_, at) => `customer-${at}`);
    const { error } = visibilityInput.safeParse({ visibility: "NAMED", organizations: many });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      "Name at most 100 organizations. To reach more, show the app by link.",
    ]);
  });

  // Guarantee: a launch that was begun before the change says what changed.
  test("refuses launches of others precisely, and upgrades what is installed", async () => {
    const { installation } = await install(customer);
    const { tenant } = await givenTenant(platform, stranger);
    await readLaunch(platform, stranger, SAMPLE_APP, { test: false });
    await show({ visibility: "NAMED", organizations: [] });
    await expect(launchInstallation(platform, stranger, launchInput(tenant.id))).rejects.toMatchObject({
      code: "NOT_ALLOWED",
      detail: expect.stringContaining("organizations that it names"),
    });
    const version = await givenVersion(platform, given.version, "1.5.0");
    expect((await readUpgrade(platform, customer, installation.id)).to.versionId).toBe(version.id);
  });
});

// Guarantee: whoever is faster, nobody launches what was hidden before the launch was stored.
test("a launch waits for a change of who sees the app", async () => {
  const { tenant } = await givenTenant(platform, stranger);
  const client = await platform.pool.connect();
  try {
    await client.query("begin");
    await client.query("update listings set visibility = 'NAMED'");
    const launch = launchInstallation(platform, stranger, launchInput(tenant.id)).then(
      () => "launched",
      ({ code }: { code: string }) => code,
    );
    const waiting = "select 1 from pg_locks where not granted";
    await expect.poll(async () => (await platform.pool.query(waiting)).rows.length).toBeGreaterThan(0);
    await client.query("commit");
    expect(await launch).toBe("NOT_ALLOWED");
  } finally {
    client.release();
  }
});

test("only the publisher changes who sees a listing, and never of a retired one", async () => {
  const change = (member: Member) =>
    changeVisibility(platform, member, given.listing.id, { visibility: "LINK" });
  await expect(change(customer)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(renewLink(platform, customer, given.listing.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(renewLink(platform, publisher, given.listing.id)).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
  await platform.pool.query("update listings set state = 'RETIRED'");
  await expect(change(publisher)).rejects.toMatchObject({ code: "WRONG_STATE" });
});

// Guarantee: a listing keeps to its visibility in every state: no version makes it public to everyone at its first approval.
test("a draft is prepared before its review", async () => {
  await platform.pool.query("update listings set state = 'DRAFT'");
  await show({ visibility: "NAMED", organizations: ["harbor"] });
  expect(await sees(customer)).toBe(NOTHING);
  await platform.pool.query("update listings set state = 'PUBLIC'");
  expect([await sees(customer), await sees(stranger)]).toEqual(["launches", NOTHING]);
});
