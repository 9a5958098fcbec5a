import { expect, test } from "vitest";
import type { ListingText } from "@/lib/contract/catalog/listing";
import { Problem } from "@/lib/contract/platform/problem";
import { type Member, toPublisher } from "@/lib/domain/platform/actor";
import { givenListing, givenMember, one, SAMPLE_TEXT, testPlatform } from "@/tests/test-platform";
import { readLaunch } from "../installations/read-launch";
import { withdrawReview } from "../moderation/end-review";
import { submitReview, submitText } from "../moderation/submit-review";
import { retireListing } from "../moderation/suspend-listing";
import { readOwnApp, readOwnVersions } from "../surface/read-own-listing";
import {
  editReleaseNotes,
  readTextDraft,
  readTextEditor,
  saveText,
  writeNotesOfNumber,
} from "./listing-text";
import { readMarketplaceListing } from "./marketplace";

const platform = await testPlatform();
const CHANGED: ListingText = { ...SAMPLE_TEXT, tagline: "Make and model from the VIN" };

async function givenOwned(state: "DRAFT" | "PUBLIC" | "SUSPENDED" | "RETIRED" = "DRAFT") {
  const publisher = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, publisher, {
    state,
    verified: state !== "DRAFT",
  });
  return { publisher, listing, version };
}

const taglineOf = async (listingId: string) =>
  one(
    (
      await platform.pool.query<{ tagline: string }>("select tagline from listings where id = $1", [
        listingId,
      ])
    ).rows,
  ).tagline;

const save = (member: Member, listingId: string, revision = 0, text: ListingText = CHANGED) =>
  saveText(platform, member, listingId, { text, revision });

test("a draft listing's valid text is live at once, and what is not valid yet is kept", async () => {
  const { publisher, listing } = await givenOwned();
  expect(await save(publisher, listing.id)).toMatchObject({ revision: 1, updatedBy: publisher.name });
  expect(await taglineOf(listing.id)).toBe(CHANGED.tagline);
  const typed = { ...CHANGED, title: "", links: { ...CHANGED.links, support: "javascript:alert(1)" } };
  await save(publisher, listing.id, 1, typed);
  expect((await readTextDraft(platform, publisher, listing.id)).text).toEqual(typed);
  expect((await readOwnApp(platform, publisher, listing.appName)).listing).toMatchObject({
    title: "VIN lookup",
    links: { support: "" },
  });
});

// Guarantee: the public text never changes without a moderator.
test.each(["PUBLIC", "SUSPENDED"] as const)(
  "the text of a %s listing stays while its draft changes",
  async (state) => {
    const { publisher, listing } = await givenOwned(state);
    await save(publisher, listing.id);
    expect(await taglineOf(listing.id)).toBe("");
    const { draft, publicText } = await readTextEditor(platform, publisher, listing.appName);
    expect([draft.text.tagline, publicText.tagline]).toEqual([CHANGED.tagline, ""]);
  },
);

// Guarantee: nobody overwrites what somebody else saved, and a repeated save is no conflict with itself.
test("a save over another revision is refused and names who saved", async () => {
  const { publisher, listing } = await givenOwned();
  const colleague = await givenMember(platform, "acme", "publisher");
  await save(colleague, listing.id);
  await expect(save(publisher, listing.id, 0, { ...CHANGED, title: "Mine" })).rejects.toMatchObject({
    code: "STALE_REVISION",
    detail: expect.stringContaining(colleague.name),
  });
  expect(await save(publisher, listing.id, 0)).toMatchObject({ revision: 1 });
  const both = await Promise.allSettled(
    ["A", "B"].map((title) => save(publisher, listing.id, 1, { ...CHANGED, title: `Title ${title}` })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("others' listings look absent, and a retired one can't be edited", async () => {
  const { listing } = await givenOwned();
  const stranger = await givenMember(platform, "harbor");
  for (const attempt of [
    () => save(stranger, listing.id),
    () => readTextDraft(platform, stranger, listing.id),
    () => retireListing(platform, stranger, listing.id),
    () => submitText(platform, stranger, listing.id, { revision: 1, note: "" }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: "NOT_FOUND" });
  const retired = await givenOwnedAs("RETIRED", "gone");
  await expect(save(retired.publisher, retired.listing.id)).rejects.toMatchObject({ code: "WRONG_STATE" });
});

async function givenOwnedAs(state: "PUBLIC" | "RETIRED" | "SUSPENDED" | "DRAFT", appName: string) {
  const publisher = await givenMember(platform, "acme");
  return { publisher, ...(await givenListing(platform, publisher, { state, appName, verified: true })) };
}

test("a text shows only pictures that its organization uploaded", async () => {
  const { publisher, listing } = await givenOwned();
  const stranger = await givenMember(platform, "harbor");
  const icon = "c".repeat(64);
  const insert = (organizationId: string) =>
    platform.pool.query(
      "insert into images (organization_id, digest, width, height, bytes) values ($1, $2, 1, 1, '')",
      [organizationId, icon],
    );
  await insert(stranger.organization.id);
  await expect(save(publisher, listing.id, 0, { ...CHANGED, icon })).rejects.toMatchObject({
    code: "BAD_INPUT",
  });
  await insert(publisher.organization.id);
  await save(publisher, listing.id, 0, { ...CHANGED, icon });
});

const withdrawn = async () =>
  (await platform.pool.query<{ state: string }>("select state from reviews order by id")).rows.map(
    ({ state }) => state,
  );

test("a change of a public text is submitted once, as a snapshot, and can be withdrawn", async () => {
  const { publisher, listing } = await givenOwned("PUBLIC");
  const submit = (revision: number) => submitText(platform, publisher, listing.id, { revision, note: "" });
  await save(publisher, listing.id, 0, SAMPLE_TEXT);
  await expect(submit(1)).rejects.toMatchObject({ detail: expect.stringContaining("already public") });
  await save(publisher, listing.id, 1);
  await expect(submit(1)).rejects.toMatchObject({ code: "STALE_REVISION" });
  const { reviewId } = await submit(2);
  await expect(submit(2)).rejects.toMatchObject({ detail: expect.stringContaining("already in review") });
  await save(publisher, listing.id, 2, { ...CHANGED, tagline: "Typed later" });
  expect((await readTextEditor(platform, publisher, listing.appName)).review).toMatchObject({
    state: "PENDING",
    text: { tagline: CHANGED.tagline },
  });
  await withdrawReview(platform, publisher, reviewId);
  await submit(3);
  expect(await withdrawn()).toEqual(["WITHDRAWN", "PENDING"]);
  expect(await taglineOf(listing.id)).toBe("");
});

test("a text that breaks a rule or is incomplete is not submitted, with every issue at its field", async () => {
  const { publisher, listing } = await givenOwned("PUBLIC");
  const links = { support: "http://acme.example", privacy: "https://bank.example@evil.example", website: "" };
  await save(publisher, listing.id, 0, { ...CHANGED, title: "V", links });
  const submit = (revision: number) => submitText(platform, publisher, listing.id, { revision, note: "" });
  const refusal = await submit(1).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: "BAD_INPUT",
    issues: [{ pointer: "/title" }, { pointer: "/links/support" }, { pointer: "/links/privacy" }],
  });
  await save(publisher, listing.id, 1, { ...CHANGED, about: { ...CHANGED.about, product: "" } });
  await expect(submit(2)).rejects.toMatchObject({ issues: [{ pointer: "/about/product" }] });
});

test.each(["DRAFT", "RETIRED"] as const)(
  "the text of a %s listing can't be reviewed without a version",
  async (state) => {
    const { publisher, listing } = await givenOwned(state);
    const submitted = submitText(platform, publisher, listing.id, { revision: 1, note: "" });
    await expect(submitted).rejects.toMatchObject({ code: "WRONG_STATE" });
  },
);

// Guarantee: retiring hides the listing from new customers, ends its reviews, and happens once.
test.each(["DRAFT", "PUBLIC", "SUSPENDED"] as const)(
  "a %s listing can be retired permanently",
  async (state) => {
    const { publisher, listing } = await givenOwned(state);
    if (state !== "SUSPENDED") {
      const row = { listing: listing.id, by: publisher.userId };
      await platform.pool.query(
        "insert into reviews (id, listing_id, kind, text, submitted_by) values (gen_random_uuid(), $1, 'TEXT', '{}', $2)",
        [row.listing, row.by],
      );
    }
    await retireListing(platform, publisher, listing.id);
    expect(await withdrawn()).toEqual(state === "SUSPENDED" ? [] : ["WITHDRAWN"]);
    expect((await readOwnApp(platform, publisher, listing.appName)).listing.state).toBe("RETIRED");
    await expect(
      readMarketplaceListing(platform, await givenMember(platform, "harbor"), "acme", listing.appName),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    const customer = await givenMember(platform, "alpine");
    const name = { organization: "acme", app: listing.appName };
    await expect(readLaunch(platform, customer, name, { test: false })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(readLaunch(platform, publisher, name, { test: true })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(retireListing(platform, publisher, listing.id)).rejects.toMatchObject({
      code: "WRONG_STATE",
    });
    const { rows } = await platform.pool.query(
      "select count(*)::int as count from audit where action = 'listing.retire'",
    );
    expect(rows).toEqual([{ count: 1 }]);
  },
);

test("release notes change until a moderator has them", async () => {
  const { publisher, listing, version } = await givenOwned();
  const edit = (notes: string, member: Member = publisher) =>
    editReleaseNotes(platform, member, listing.id, version.id, notes);
  await edit("First.");
  await expect(edit("Theirs.", await givenMember(platform, "harbor"))).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const byKey = (name: string, number: string) => {
    const key = { ...toPublisher(publisher), actor: `api-key:${version.id}` };
    return writeNotesOfNumber(platform, key, name, number, "From the command line.");
  };
  const name = `${publisher.organization.slug}/${listing.appName}`;
  await byKey(name, version.number);
  await expect(byKey(name, "9.9.9")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(byKey("harbor/theirs", version.number)).rejects.toBeInstanceOf(Problem);
  const { rows } = await platform.pool.query("select actor from audit where action = 'version.edit-notes'");
  expect(rows).toEqual([{ actor: `user:${publisher.userId}` }, { actor: `api-key:${version.id}` }]);
  await submitReview(platform, publisher, listing.id, {
    versionId: version.id,
    older: false,
    releaseNotes: "Better.",
  });
  await expect(edit("Too late.")).rejects.toMatchObject({ code: "WRONG_STATE" });
  const read = async () =>
    (await readOwnVersions(platform, publisher, listing, {})).versions[0]?.releaseNotes;
  expect(await read()).toBe("Better.");
  await platform.pool.query("update reviews set state = 'CHANGES_REQUESTED'");
  await edit("Best.");
  await platform.pool.query("update versions set verified_at = now()");
  await expect(edit("Too late.")).rejects.toMatchObject({ code: "WRONG_STATE" });
  expect(await read()).toBe("Best.");
});
