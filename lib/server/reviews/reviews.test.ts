import { v7 } from "uuid";
import { expect, test } from "vitest";
import type { Actor } from "@/lib/domain/actor";
import { givenListing, givenMember, testPlatform } from "@/tests/test-platform";
import { verifyAudit } from "../audit/verify-audit";
import { createModerator } from "../identity/create-moderator";
import { decideReview } from "./decide-review";
import { submitReview } from "./submit-review";

const platform = await testPlatform();

async function givenModerator(): Promise<Actor> {
  const email = `${v7()}@platform.example`;
  const { userId } = await createModerator(platform, { name: "Mo", email, password: "a long password" });
  return { userId, sessionId: v7(), name: "Mo", email, moderator: true };
}

async function givenReview() {
  const publisher = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, publisher);
  const { reviewId } = await submitReview(platform, publisher, listing.id, version.id);
  return { publisher, listing, version, reviewId };
}

async function stateOf(listingId: string) {
  const { rows } = await platform.pool.query<{ state: string; verified: boolean }>(
    "select l.state, v.verified_at is not null as verified from listings l join versions v on v.listing_id = l.id where l.id = $1",
    [listingId],
  );
  return rows[0];
}

// Guarantee: a listing under review is still a draft; only verification makes it public.
test("approving makes the draft public and verifies the version", async () => {
  const { publisher, listing, reviewId } = await givenReview();
  expect(await stateOf(listing.id)).toEqual({ state: "DRAFT", verified: false });
  await decideReview(platform, await givenModerator(), reviewId, { verdict: "approve", note: "" });
  expect(await stateOf(listing.id)).toEqual({ state: "PUBLIC", verified: true });
  expect(await verifyAudit(platform, publisher.organization.id)).toEqual({ intact: true, rows: 2 });
});

test.each(["return", "reject"] as const)("%s leaves the draft as it is, and it can be submitted again", async (verdict) => {
  const { publisher, listing, version, reviewId } = await givenReview();
  await decideReview(platform, await givenModerator(), reviewId, { verdict, note: "Say more." });
  expect(await stateOf(listing.id)).toEqual({ state: "DRAFT", verified: false });
  await expect(submitReview(platform, publisher, listing.id, version.id)).resolves.toHaveProperty("reviewId");
});

// Guarantee: a verdict counts once.
test("of two moderators at once one decides", async () => {
  const { reviewId } = await givenReview();
  const [one, two] = [await givenModerator(), await givenModerator()];
  const results = await Promise.allSettled([
    decideReview(platform, one, reviewId, { verdict: "approve", note: "" }),
    decideReview(platform, two, reviewId, { verdict: "reject", note: "No." }),
  ]);
  expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(decideReview(platform, one, reviewId, { verdict: "reject", note: "No." })).rejects.toMatchObject({ code: "WRONG_STATE" });
});

// Guarantee: nobody verifies their own organization's app.
test("a moderator cannot decide on their own organization's listing", async () => {
  const { publisher, reviewId, listing } = await givenReview();
  const insider: Actor = { ...(await givenModerator()), organization: publisher.organization };
  await expect(decideReview(platform, insider, reviewId, { verdict: "approve", note: "" })).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  expect(await stateOf(listing.id)).toEqual({ state: "DRAFT", verified: false });
});

// Guarantee: a listing that left the market cannot come back through the review queue.
test.each(["SUSPENDED", "RETIRED"])("a %s listing cannot be reviewed", async (state) => {
  const { reviewId, listing } = await givenReview();
  await platform.pool.query("update listings set state = $1 where id = $2", [state, listing.id]);
  await expect(decideReview(platform, await givenModerator(), reviewId, { verdict: "approve", note: "" })).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
  expect(await stateOf(listing.id)).toMatchObject({ state });
});

// Guarantee: foreign and absent are the same, and one review waits at a time.
test("only one's own version can be submitted, and only once", async () => {
  const { publisher, listing, version } = await givenReview();
  const stranger = await givenMember(platform, "stranger");
  await expect(submitReview(platform, stranger, listing.id, version.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(submitReview(platform, publisher, listing.id, v7())).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(submitReview(platform, publisher, listing.id, version.id)).rejects.toMatchObject({ code: "WRONG_STATE" });
});
