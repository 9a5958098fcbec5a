/** The queue: its filters, and who has claimed a review. */
import { expect, test } from "vitest";
import { REVIEW_STATES } from "@/lib/contract/catalog/listing";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import { givenListing, givenMember, one, SAMPLE_TEXT, testPlatform } from "@/tests/test-platform";
import { writeComment } from "./comments";
import { claimReview, decideReview, releaseReview } from "./decide-review";
import { listReviews, type QueueQuery } from "./list-reviews";
import { readReview } from "./read-review";
import { insertReview } from "./review-queries";
import { retireListing } from "./suspend-listing";

const platform = await testPlatform();

const APPROVE = { decision: "approve", note: "" } as const;

async function givenModerator(slug = "watch"): Promise<Actor> {
  return { ...(await givenMember(platform, slug)), moderator: true };
}

async function givenReview(publisher: Member, appName = "vin-lookup", kind: "VERSION" | "TEXT" = "VERSION") {
  const state = kind === "TEXT" ? "PUBLIC" : "DRAFT";
  const { listing, version } = await givenListing(platform, publisher, { appName, state });
  return insertReview(platform.db, {
    kind,
    listingId: listing.id,
    versionId: kind === "TEXT" ? null : version.id,
    text: SAMPLE_TEXT,
    submittedBy: publisher.userId,
  });
}

async function listingOf(reviewId: string): Promise<string> {
  const { rows } = await platform.pool.query<{ id: string }>(
    "select listing_id as id from reviews where id = $1",
    [reviewId],
  );
  return one(rows).id;
}

const change = (reviewId: string, set: string) =>
  platform.pool.query(`update reviews set ${set} where id = $1`, [reviewId]);

async function ids(moderator: Actor, query: QueueQuery = {}) {
  return (await listReviews(platform, moderator, query)).reviews.map(({ id }) => id);
}

// Guarantee: each filter of the URL narrows the queue, and nonsense in it is ignored.
test("the queue filters by state, kind, claim, due date, age, publisher and text", async () => {
  const [acme, harbor] = [await givenMember(platform, "acme"), await givenMember(platform, "harbor")];
  const moderator = await givenModerator();
  const old = await givenReview(acme);
  const text = await givenReview(acme, "rating", "TEXT");
  const mine = await givenReview(harbor);
  await change(old, "created_at = now() - interval '5 days', due_at = now() - interval '1 hour'");
  await change(text, "due_at = now() + interval '1 day'");
  await change(mine, "due_at = now() + interval '2 days'");
  await claimReview(platform, moderator, mine);
  const queue = (query: QueueQuery) => ids(moderator, query);
  expect(await queue({})).toEqual([old, text, mine]);
  expect(await queue({ kind: "TEXT" })).toEqual([text]);
  expect(await queue({ claim: "mine" })).toEqual([mine]);
  expect(await queue({ claim: "claimed" })).toEqual([mine]);
  expect(await queue({ claim: "unclaimed" })).toEqual([old, text]);
  expect(await queue({ due: "overdue" })).toEqual([old]);
  expect(await queue({ due: "week" })).toEqual([old, text, mine]);
  expect(await queue({ age: "3" })).toEqual([old]);
  expect(await queue({ publisher: "harbor" })).toEqual([mine]);
  expect(await queue({ q: "rating" })).toEqual([text]);
  expect(await queue({ q: "%" })).toEqual([]);
  expect(await queue({ state: "APPROVED" })).toEqual([]);
  const nonsense = {
    state: "x",
    kind: "x",
    claim: "x",
    due: "x",
    age: "x",
    sort: 'id";drop',
    after: "'; drop",
  };
  expect(await queue(nonsense)).toEqual([old, text, mine]);
});

// Guarantee: a number beside a state is how many rows a click on it shows, with the same filters.
test("reviews are counted by state within the filters", async () => {
  const moderator = await givenModerator();
  const [acme, harbor] = [await givenMember(platform, "acme"), await givenMember(platform, "harbor")];
  const [first, second] = [await givenReview(acme), await givenReview(harbor)];
  await givenReview(acme, "rating", "TEXT");
  await claimReview(platform, moderator, first);
  await decideReview(platform, moderator, second, APPROVE);
  const filters: QueueQuery[] = [
    {},
    { publisher: "acme" },
    { q: "vin" },
    { kind: "TEXT" },
    { claim: "mine" },
  ];
  for (const filter of [...filters, { due: "overdue" }, { age: "1", publisher: "harbor" }]) {
    const { counts } = await listReviews(platform, moderator, filter);
    for (const state of REVIEW_STATES)
      expect(await ids(moderator, { ...filter, state }), JSON.stringify([filter, state])).toHaveLength(
        counts[state] ?? 0,
      );
  }
});

test("the queue is sorted by due date or by age, and pages without gaps", async () => {
  const moderator = await givenModerator();
  const publisher = await givenMember(platform, "acme");
  const first = await givenReview(publisher, "one");
  const second = await givenReview(publisher, "two", "TEXT");
  const third = await givenReview(publisher, "three");
  await change(second, "due_at = now() - interval '1 day'");
  expect(await ids(moderator, {})).toEqual([second, first, third]);
  expect(await ids(moderator, { after: await cursorOf(second) })).toEqual([first, third]);
  expect(await ids(moderator, { after: await cursorOf(first) })).toEqual([third]);
  expect(await ids(moderator, { sort: "age" })).toEqual([first, second, third]);
  expect(await ids(moderator, { sort: "age", after: await cursorOf(second, "created_at") })).toEqual([third]);
  for (const id of [first, third, second]) await decideReview(platform, moderator, id, APPROVE);
  expect(await ids(moderator, { state: "APPROVED" })).toEqual([third, second, first]);
  const approved = { state: "APPROVED" };
  expect(await ids(moderator, { ...approved, after: await cursorOf(second, "created_at") })).toEqual([first]);
  expect(await ids(moderator, { ...approved, sort: "age" })).toEqual([first, second, third]);
  expect(await ids(moderator, { ...approved, sort: "ended" })).toEqual([second, third, first]);
  // An order of reviews that wait says nothing of those that ended.
  expect((await listReviews(platform, moderator, { ...approved, sort: "due" })).query).toEqual(approved);
});

/** As the page after this review has it. */
async function cursorOf(reviewId: string, column = "due_at"): Promise<string> {
  const { rows } = await platform.pool.query<{ at: string }>(
    `select ${column}::text as at from reviews where id = $1`,
    [reviewId],
  );
  return `${reviewId}~${one(rows).at}`;
}

/** Reviews that are all due at the same microsecond. */
async function givenManyReviews(count: number): Promise<string[]> {
  const publisher = await givenMember(platform, "acme");
  const first = await givenReview(publisher, "one", "TEXT");
  await platform.pool.query(
    `with apps as (
       insert into listings (id, organization_id, app_name, title, about, requirements, state)
       select gen_random_uuid(), organization_id, app_name || n, title, about, requirements, state
         from listings, generate_series(2, $2) n where id = (select listing_id from reviews where id = $1)
       returning id)
     insert into reviews (id, listing_id, kind, text, submitted_by)
     select gen_random_uuid(), apps.id, r.kind, r.text, r.submitted_by from apps, reviews r where r.id = $1`,
    [first, count],
  );
  await platform.pool.query("update reviews set due_at = '2026-11-20 10:00:00.123456Z'");
  const { rows } = await platform.pool.query<{ id: string }>("select id from reviews order by id");
  return rows.map(({ id }) => id);
}

// Guarantee: paging through the queue shows each review once, whatever happens to the others meanwhile.
test("reviews with the same due date are on one page each", async () => {
  const moderator = await givenModerator();
  const all = await givenManyReviews(35);
  const { reviews, next } = await listReviews(platform, moderator, {});
  const shown = reviews.map(({ id }) => id);
  expect([...shown, ...(await ids(moderator, { after: next }))]).toEqual(all);
});

test.each([
  ["due", "PENDING"],
  ["age", "PENDING"],
  ["age", "WITHDRAWN"],
  ["ended", "WITHDRAWN"],
])("the way back through the queue by %s shows each %s review once", async (sort, state) => {
  const moderator = await givenModerator();
  await givenManyReviews(50);
  if (state === "WITHDRAWN")
    await platform.pool.query("update reviews set state = 'WITHDRAWN', decided_at = now()");
  const query = { sort, state };
  const first = await listReviews(platform, moderator, query);
  const second = await listReviews(platform, moderator, { ...query, after: first.next });
  const third = await listReviews(platform, moderator, { ...query, after: second.next });
  expect([first.isFirst, second.isFirst, third.next]).toEqual([true, false, undefined]);
  expect(await ids(moderator, { ...query, after: third.previous })).toEqual(
    second.reviews.map(({ id }) => id),
  );
  expect(await ids(moderator, { ...query, after: second.previous })).toEqual(
    first.reviews.map(({ id }) => id),
  );
});

test("the next page goes on where the last one ended, though its last review got another due date or is gone", async () => {
  const moderator = await givenModerator();
  const all = await givenManyReviews(35);
  const { reviews, next } = await listReviews(platform, moderator, {});
  const rest = all.slice(reviews.length);
  const last = reviews.at(-1)?.id ?? "";
  await change(last, "due_at = now() + interval '9 days'");
  expect(await ids(moderator, { after: next })).toEqual([...rest, last]);
  await change(last, "due_at = now() - interval '900 days'");
  expect(await ids(moderator, { after: next })).toEqual(rest);
  await platform.pool.query("delete from reviews where id = $1", [last]);
  expect(await ids(moderator, { after: next })).toEqual(rest);
});

// Guarantee: the filter never hides that there are more publishers, and never loses the chosen one.
test("the filter of publishers lists a hundred, the chosen one, and how many there are besides", async () => {
  const moderator = await givenModerator();
  await givenReview(await givenMember(platform, "zurich"));
  await platform.pool.query(
    `with companies as (
       insert into organizations (id, slug, name)
       select gen_random_uuid(), 'company-' || n, 'Company ' || n from generate_series(1, 104) n returning id),
     apps as (
       insert into listings (id, organization_id, app_name, title, about, requirements, state)
       select gen_random_uuid(), c.id, 'app', 'App', l.about, l.requirements, l.state from companies c, listings l
       returning id)
     insert into reviews (id, listing_id, kind, text, submitted_by)
     select gen_random_uuid(), apps.id, 'TEXT', r.text, r.submitted_by from apps, reviews r`,
  );
  const all = await listReviews(platform, moderator, {});
  expect(all.publishers).toHaveLength(100);
  expect(all.publishers.map(({ slug }) => slug)).not.toContain("zurich");
  expect(all.morePublishers).toBe(5);
  const chosen = await listReviews(platform, moderator, { publisher: "zurich" });
  expect(chosen.publishers).toContainEqual({ slug: "zurich", name: "zurich" });
});

// Guarantee: two moderators never work on the same review without knowing.
test("of two moderators who claim at the same time, one wins, and the other learns who", async () => {
  const reviewId = await givenReview(await givenMember(platform, "acme"));
  const moderators = [await givenModerator("one"), await givenModerator("two")];
  const outcomes = await Promise.allSettled(moderators.map((each) => claimReview(platform, each, reviewId)));
  const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(outcomes[1 - winner]).toMatchObject({
    reason: { code: "WRONG_STATE", detail: expect.stringContaining(moderators[winner]?.name ?? "?") },
  });
});

test("a claim keeps others from deciding until it is released", async () => {
  const reviewId = await givenReview(await givenMember(platform, "acme"));
  const [first, second] = [await givenModerator("one"), await givenModerator("two")];
  await claimReview(platform, first, reviewId);
  expect((await readReview(platform, second, reviewId)).claim).toMatchObject({
    name: first.name,
    mine: false,
  });
  await expect(decideReview(platform, second, reviewId, APPROVE)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: expect.stringContaining(first.name),
  });
  await expect(releaseReview(platform, second, reviewId)).rejects.toMatchObject({ code: "WRONG_STATE" });
  await releaseReview(platform, first, reviewId);
  await decideReview(platform, second, reviewId, APPROVE);
});

test("a claim ends after a day, also for decisions, and its moderator can renew it", async () => {
  const reviewId = await givenReview(await givenMember(platform, "acme"));
  const [first, second] = [await givenModerator("one"), await givenModerator("two")];
  await claimReview(platform, first, reviewId);
  await change(reviewId, "claimed_at = now() - interval '23 hours 59 minutes'");
  await expect(claimReview(platform, second, reviewId)).rejects.toMatchObject({ code: "WRONG_STATE" });
  await claimReview(platform, first, reviewId);
  await change(reviewId, "claimed_at = now() - interval '24 hours 1 second'");
  expect((await readReview(platform, second, reviewId)).claim).toBeNull();
  expect(await ids(second, { claim: "unclaimed" })).toEqual([reviewId]);
  await claimReview(platform, second, reviewId);
  expect(await ids(second, { claim: "mine" })).toEqual([reviewId]);
});

test("nobody claims a review of their own organization, or one that has ended", async () => {
  const publisher = await givenMember(platform, "acme");
  const reviewId = await givenReview(publisher);
  const own = { ...publisher, organization: undefined, moderator: true };
  await expect(claimReview(platform, own, reviewId)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  const moderator = await givenModerator();
  await decideReview(platform, moderator, reviewId, APPROVE);
  for (const act of [claimReview, releaseReview])
    await expect(act(platform, moderator, reviewId)).rejects.toMatchObject({ code: "WRONG_STATE" });
});

test("the queue marks the apps of every organization that the moderator belongs to", async () => {
  const publisher = await givenMember(platform, "acme");
  const [own, other] = [await givenReview(publisher), await givenReview(await givenMember(platform, "bolt"))];
  const moderator = { ...publisher, organization: undefined, moderator: true };
  const { reviews } = await listReviews(platform, moderator, {});
  expect(reviews.map(({ id, own: isOwn }) => [id, isOwn])).toEqual([
    [own, true],
    [other, false],
  ]);
});

// Guarantee: no moderator continues a review that the publisher ended, by withdrawing it or by retiring the listing.
test("moderators learn that a review was withdrawn, also by retiring its listing", async () => {
  const publisher = await givenMember(platform, "acme");
  const [claimer, commenter] = [await givenModerator("one"), await givenModerator("two")];
  await platform.pool.query("update users set moderator = true where id = any($1)", [
    [claimer.userId, commenter.userId],
  ]);
  const reviewId = await givenReview(publisher);
  const textId = await givenReview(publisher, "rating", "TEXT");
  await claimReview(platform, claimer, reviewId);
  await writeComment(platform, commenter, reviewId, { body: "Why?" });
  for (const id of [reviewId, textId]) await retireListing(platform, publisher, await listingOf(id));
  const { rows } = await platform.pool.query<{ name: string; title: string; body: string; href: string }>(
    "select u.name, n.title, n.body, n.href from notifications n join users u on u.id = n.user_id where n.kind = 'review-submitted' order by n.title, u.name",
  );
  const told = (what: string, id: string) =>
    [claimer, commenter].map(({ name }) => ({
      name,
      title: `acme withdrew ${what} of VIN lookup`,
      body: "The listing was retired.",
      href: `/moderation/${id}`,
    }));
  expect(rows).toEqual([...told("the text", textId), ...told("version 1.4.0", reviewId)]);
});
