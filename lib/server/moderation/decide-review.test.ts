import { v7 } from "uuid";
import { expect, test } from "vitest";
import { reviews, type versions } from "@/drizzle/schema/catalog";
import type { DecisionInput } from "@/lib/contract/catalog/listing";
import { dueDate } from "@/lib/domain/moderation/review";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import {
  givenListing,
  givenMember,
  givenVersion,
  one,
  SAMPLE_TEXT,
  testPlatform,
} from "@/tests/test-platform";
import { decideReview, requireChecked } from "./decide-review";
import { withdrawReview } from "./end-review";
import { readOwnReview, readReview } from "./read-review";
import { insertReview } from "./review-queries";
import { submitReview } from "./submit-review";

const platform = await testPlatform();

type VersionRow = typeof versions.$inferSelect;

const APPROVE = { decision: "approve", note: "" } as const;
const RETURN = { decision: "return", note: "Say where the data goes." } as const;

async function givenModerator(slug = "watch"): Promise<Actor> {
  return { ...(await givenMember(platform, slug)), moderator: true };
}

function submit(member: Member, listingId: string, versionId: string, older = false) {
  return submitReview(platform, member, listingId, { versionId, older });
}

/** Another version of the listing, with the same image and manifest unless they are changed. */
function givenNext(version: VersionRow, number: string, changes: Partial<VersionRow> = {}) {
  const manifestText = version.manifestText.replace(version.number, number);
  return givenVersion(platform, version, number, { manifestText, verifiedAt: null, ...changes });
}

async function givenPendingReview(options: Parameters<typeof givenListing>[2] = {}) {
  const publisher = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, publisher, options);
  const { reviewId } = await submit(publisher, listing.id, version.id);
  return { publisher, listing, version, reviewId };
}

async function readListingState(listingId: string): Promise<string> {
  return one(
    (await platform.pool.query<{ state: string }>("select state from listings where id = $1", [listingId]))
      .rows,
  ).state;
}

async function isVerified(versionId: string): Promise<boolean> {
  const { rows } = await platform.pool.query<{ at: Date | null }>(
    "select verified_at as at from versions where id = $1",
    [versionId],
  );
  return one(rows).at !== null;
}

async function countAudit(action: string): Promise<number> {
  const { rows } = await platform.pool.query<{ count: string }>(
    "select count(*) from audit where action = $1",
    [action],
  );
  return Number(one(rows).count);
}

test("approving a draft publishes it, verifies the version and writes an audit row", async () => {
  const { listing, version, reviewId } = await givenPendingReview();
  await decideReview(platform, await givenModerator(), reviewId, APPROVE);
  expect([
    await readListingState(listing.id),
    await isVerified(version.id),
    await countAudit("review.approve"),
  ]).toEqual(["PUBLIC", true, 1]);
});

test("requesting changes keeps the draft, verifies nothing, and lets the publisher submit again", async () => {
  const { publisher, listing, version, reviewId } = await givenPendingReview();
  await decideReview(platform, await givenModerator(), reviewId, RETURN);
  expect([await readListingState(listing.id), await isVerified(version.id)]).toEqual(["DRAFT", false]);
  await expect(submit(publisher, listing.id, version.id)).resolves.toHaveProperty("reviewId");
});

test("approving a later version of a public listing verifies it and leaves the listing's state alone", async () => {
  const { listing, version, reviewId } = await givenPendingReview({ state: "PUBLIC" });
  await decideReview(platform, await givenModerator(), reviewId, APPROVE);
  expect([await readListingState(listing.id), await isVerified(version.id)]).toEqual(["PUBLIC", true]);
});

test("a moderator can't decide on a listing of any organization they belong to", async () => {
  const { publisher, listing, reviewId } = await givenPendingReview();
  const elsewhere = await givenMember(platform, "elsewhere");
  for (const organization of [publisher.organization, elsewhere.organization, undefined]) {
    const moderator = { ...publisher, organization, moderator: true };
    await expect(decideReview(platform, moderator, reviewId, APPROVE)).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
    expect((await readReview(platform, moderator, reviewId)).own).toBe(true);
  }
  expect([await readListingState(listing.id), await countAudit("review.approve")]).toEqual(["DRAFT", 0]);
});

// Guarantee: nobody approves what the platform has not looked at yet without saying so, whichever client they use.
test("an approval is refused while the automatic checks run, unless it says that they are not needed", async () => {
  const { reviewId } = await givenPendingReview();
  const moderator = await givenModerator();
  const ask = (changes: Partial<DecisionInput> = {}) =>
    requireChecked(platform, moderator, reviewId, { ...APPROVE, ...changes });
  for (const state of ["QUEUED", "RUNNING"]) {
    await platform.pool.query("update evidence set state = $1", [state]);
    await expect(ask(), state).rejects.toMatchObject({
      code: "WRONG_STATE",
      detail: /checks are still running\. Wait for their results, or approve without them/,
    });
    await expect(ask({ unchecked: true })).resolves.toBeUndefined();
    await expect(ask(RETURN)).resolves.toBeUndefined();
  }
  await platform.pool.query("update evidence set state = 'DONE'");
  await expect(ask()).resolves.toBeUndefined();
});

test("a review can't be decided twice", async () => {
  const { listing, reviewId } = await givenPendingReview();
  const moderator = await givenModerator();
  await decideReview(platform, moderator, reviewId, RETURN);
  await expect(decideReview(platform, moderator, reviewId, APPROVE)).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
  expect([await readListingState(listing.id), await countAudit("review.approve")]).toEqual(["DRAFT", 0]);
});

test("of two concurrent decisions one wins, and only that one is audited", async () => {
  const { reviewId } = await givenPendingReview();
  const [first, second] = [await givenModerator("one"), await givenModerator("two")];
  const outcomes = await Promise.allSettled([
    decideReview(platform, first, reviewId, APPROVE),
    decideReview(platform, second, reviewId, APPROVE),
  ]);
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await countAudit("review.approve")).toBe(1);
});

test("submitting a foreign listing or one that doesn't exist fails with NOT_FOUND", async () => {
  const { listing, version } = await givenListing(platform, await givenMember(platform, "acme"));
  const stranger = await givenMember(platform, "harbor");
  const absent = "0198c000-0000-7000-8000-000000000000";
  for (const [listingId, versionId] of [
    [listing.id, version.id],
    [absent, version.id],
    [listing.id, absent],
  ] as const) {
    await expect(submit(stranger, listingId, versionId)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  }
});

test("a version of another listing can't be submitted with one's own listing", async () => {
  const publisher = await givenMember(platform, "acme");
  const { listing } = await givenListing(platform, publisher);
  const other = await givenListing(platform, publisher, { appName: "other" });
  await expect(submit(publisher, listing.id, other.version.id)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a listing has one pending review at a time, and a verified version can't be submitted", async () => {
  const { publisher, listing, version, reviewId } = await givenPendingReview();
  const next = await givenNext(version, "1.5.0");
  await expect(submit(publisher, listing.id, next.id)).rejects.toMatchObject({ code: "WRONG_STATE" });
  // Guarantee: a repeated request gets the result of the first, unless it asks for something else.
  const ask = (input: object) =>
    submitReview(platform, publisher, listing.id, { versionId: version.id, ...input });
  const asked = await platform.db.$count(reviews);
  expect(await Promise.all([ask({}), ask({ releaseNotes: "" })])).toEqual([{ reviewId }, { reviewId }]);
  for (const other of [{ note: "Look here." }, { releaseNotes: "Faster." }])
    await expect(ask(other)).rejects.toMatchObject({ code: "WRONG_STATE" });
  expect(await platform.db.$count(reviews)).toBe(asked);
  const verified = await givenListing(platform, publisher, {
    appName: "done",
    state: "PUBLIC",
    verified: true,
  });
  await expect(submit(publisher, verified.listing.id, verified.version.id)).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
});

// Guarantee: a rejected version isn't reviewed again under another number.
test("a rejected version can't be submitted unchanged, under its own number or another", async () => {
  const { publisher, listing, version, reviewId } = await givenPendingReview();
  await decideReview(platform, await givenModerator(), reviewId, { ...RETURN, decision: "reject" });
  const renumbered = await givenNext(version, "1.5.0");
  for (const { id } of [version, renumbered])
    await expect(submit(publisher, listing.id, id)).rejects.toMatchObject({
      code: "WRONG_STATE",
      detail: expect.stringMatching(/1\.4\.0.* rejected.*publish a new version/),
    });
  const retitled = await givenNext(version, "1.6.0", {
    manifestText: version.manifestText.replace("1.4.0", "1.6.0").replace("Provider key", "Key"),
  });
  const rebuilt = await givenNext(version, "1.7.0", { imageDigest: `sha256:${"c".repeat(64)}` });
  await expect(submit(publisher, listing.id, rebuilt.id)).resolves.toHaveProperty("reviewId");
  await platform.pool.query("update reviews set state = 'WITHDRAWN' where state = 'PENDING'");
  await expect(submit(publisher, listing.id, retitled.id)).resolves.toHaveProperty("reviewId");
});

// Guarantee: a publisher doesn't submit an older version by mistake.
test("a version older than the verified one is submitted only on purpose", async () => {
  const publisher = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, publisher, { state: "PUBLIC" });
  await givenNext(version, "1.10.0", { verifiedAt: new Date() });
  await expect(submit(publisher, listing.id, version.id)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: expect.stringContaining("older than version 1.10.0"),
  });
  await expect(submit(publisher, listing.id, version.id, true)).resolves.toHaveProperty("reviewId");
});

test("a retired listing can't be reviewed", async () => {
  const publisher = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, publisher, { state: "RETIRED" });
  await expect(submit(publisher, listing.id, version.id)).rejects.toMatchObject({ code: "WRONG_STATE" });
});

// Guarantee: a suspension can be fixed by a new version, and only a moderator's command ends it.
test("an approval verifies a version of a suspended listing, which stays suspended", async () => {
  const { listing, version, reviewId } = await givenPendingReview({ state: "SUSPENDED" });
  await decideReview(platform, await givenModerator(), reviewId, APPROVE);
  expect([await readListingState(listing.id), await isVerified(version.id)]).toEqual(["SUSPENDED", true]);
});

// Guarantee: what becomes public is what the moderator saw, even if the publisher kept typing in the meantime.
test("a review keeps the text of its submission, and approving a draft publishes that text", async () => {
  const { listing, reviewId } = await givenPendingReview();
  await platform.pool.query("update listings set title = 'Typed later'");
  const moderator = await givenModerator();
  expect((await readReview(platform, moderator, reviewId)).review.text).toEqual(SAMPLE_TEXT);
  await decideReview(platform, moderator, reviewId, APPROVE);
  const { rows } = await platform.pool.query("select title from listings where id = $1", [listing.id]);
  expect(rows).toEqual([{ title: SAMPLE_TEXT.title }]);
});

test("approving a later version leaves the public text as it is", async () => {
  const { reviewId } = await givenPendingReview({ state: "PUBLIC" });
  await platform.pool.query("update listings set title = 'Approved meanwhile'");
  await decideReview(platform, await givenModerator(), reviewId, APPROVE);
  const { rows } = await platform.pool.query("select title from listings");
  expect(rows).toEqual([{ title: "Approved meanwhile" }]);
});

/** A pending review of only the text. */
async function givenTextReview() {
  const publisher = await givenMember(platform, "acme");
  const { listing } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const text = { ...SAMPLE_TEXT, tagline: "Faster quotes" };
  const reviewId = await insertReview(platform.db, {
    listingId: listing.id,
    kind: "TEXT",
    text,
    submittedBy: publisher.userId,
  });
  return { listing, reviewId };
}

test.each([
  ["goes public when it is approved", APPROVE, "Faster quotes"],
  ["stays as it was when changes are requested", RETURN, ""],
] as const)("a text %s", async (_what, decision, tagline) => {
  const { listing, reviewId } = await givenTextReview();
  await decideReview(platform, await givenModerator(), reviewId, decision);
  const { rows } = await platform.pool.query("select tagline, state from listings where id = $1", [
    listing.id,
  ]);
  expect(rows).toEqual([{ tagline, state: "PUBLIC" }]);
});

test("the publisher's note reaches the moderator, and the moderator's note does not replace it", async () => {
  const publisher = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, publisher);
  const { reviewId } = await submitReview(platform, publisher, listing.id, {
    versionId: version.id,
    note: "Try it with policy POL-1001.",
  });
  const moderator = await givenModerator();
  await decideReview(platform, moderator, reviewId, RETURN);
  const { review } = await readReview(platform, moderator, reviewId);
  expect([review.submissionNote, review.note]).toEqual(["Try it with policy POL-1001.", RETURN.note]);
});

test("a review is due by the working days of its kind", async () => {
  const { reviewId } = await givenPendingReview();
  const { review } = await readReview(platform, await givenModerator(), reviewId);
  expect(review.dueAt).toEqual(dueDate(review.createdAt, "VERSION"));
});

test("the publisher withdraws a pending review once, and nobody else can", async () => {
  const { publisher, listing, version, reviewId } = await givenPendingReview();
  const stranger = await givenMember(platform, "harbor");
  await expect(withdrawReview(platform, stranger, reviewId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await withdrawReview(platform, publisher, reviewId);
  await expect(withdrawReview(platform, publisher, reviewId)).rejects.toMatchObject({ code: "WRONG_STATE" });
  await expect(decideReview(platform, await givenModerator(), reviewId, APPROVE)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: expect.stringContaining("withdrew"),
  });
  expect([await readListingState(listing.id), await isVerified(version.id)]).toEqual(["DRAFT", false]);
  await expect(submit(publisher, listing.id, version.id)).resolves.toHaveProperty("reviewId");
});

test("of a concurrent decision and withdrawal, one wins", async () => {
  const { publisher, reviewId } = await givenPendingReview();
  const moderator = await givenModerator();
  const outcomes = await Promise.allSettled([
    decideReview(platform, moderator, reviewId, RETURN),
    withdrawReview(platform, publisher, reviewId),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await countAudit("review.return")) + (await countAudit("review.withdraw"))).toBe(1);
});

// Guarantee: a decision is final, whatever code runs.
test.each(["APPROVED", "REJECTED", "CHANGES_REQUESTED", "WITHDRAWN"])(
  "the database refuses to change a review that is %s",
  async (state) => {
    const { reviewId } = await givenPendingReview();
    await platform.pool.query("update reviews set state = $1 where id = $2", [state, reviewId]);
    for (const change of ["state = 'PENDING'", "note = 'x'", "decided_at = now()", "text = '{}'"])
      await expect(platform.pool.query(`update reviews set ${change}`)).rejects.toThrow(/never changes/);
  },
);

// Guarantee: a moderator sees what changed since the last approval, and never something newer than the review.
test("a review is compared with what was approved last before it", async () => {
  const { publisher, listing, version, reviewId } = await givenPendingReview();
  const moderator = await givenModerator();
  expect((await readReview(platform, moderator, reviewId)).before).toEqual({});
  await decideReview(platform, moderator, reviewId, APPROVE);
  const second = await givenNext(version, "1.5.0", { imageDigest: `sha256:${"c".repeat(64)}` });
  const { reviewId: next } = await submit(publisher, listing.id, second.id);
  const { before, others } = await readReview(platform, moderator, next);
  expect([before.version?.number, before.text]).toEqual(["1.4.0", SAMPLE_TEXT]);
  expect(others).toMatchObject([{ id: reviewId, state: "APPROVED", number: "1.4.0", comments: 0 }]);
  await decideReview(platform, moderator, next, APPROVE);
  expect((await readReview(platform, moderator, next)).before.version?.number).toBe("1.4.0");
});

// Guarantee: a publisher sees nothing of other publishers' reviews, also by another app's address.
test("the publisher's page: place, median, due date; NOT_FOUND for others", async () => {
  const { publisher, reviewId } = await givenPendingReview();
  const other = await givenListing(platform, publisher, { appName: "other" });
  const { reviewId: later } = await submit(publisher, other.listing.id, other.version.id);
  const read = (member: Member, app: string, id: string) => readOwnReview(platform, member, app, id);
  expect((await read(publisher, "other", later)).queue).toEqual({ place: 2, medianMs: null });
  await platform.pool.query("update reviews set created_at = now() - interval '2 hours' where id = $1", [
    reviewId,
  ]);
  await decideReview(platform, await givenModerator(), reviewId, RETURN);
  const { queue } = await read(publisher, "other", later);
  expect([queue?.place, Math.round((queue?.medianMs ?? 0) / 60_000)]).toEqual([1, 120]);
  expect((await read(publisher, "vin-lookup", reviewId)).queue).toBeNull();
  const stranger = await givenMember(platform, "harbor");
  for (const [member, app, id] of [
    [stranger, "other", later],
    [publisher, "vin-lookup", later],
    [publisher, "other", v7()],
  ] as const)
    await expect(read(member, app, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});
