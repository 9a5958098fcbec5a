import { v7 } from "uuid";
import { expect, test } from "vitest";
import type { CommentInput } from "@/lib/contract/moderation/review";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import { givenListing, givenMember, one, testPlatform } from "@/tests/test-platform";
import { editOwnComment, listComments, settleThread, writeComment } from "./comments";
import { submitReview } from "./submit-review";

const platform = await testPlatform();

async function givenModerator(slug = "watch"): Promise<Actor> {
  return { ...(await givenMember(platform, slug)), moderator: true };
}

async function givenReview(slug = "acme") {
  const publisher = await givenMember(platform, slug);
  const { listing, version } = await givenListing(platform, publisher);
  const { reviewId } = await submitReview(platform, publisher, listing.id, { versionId: version.id });
  return { publisher, reviewId, version };
}

const write = async (actor: Actor, reviewId: string, input: CommentInput) =>
  (await writeComment(platform, actor, reviewId, input)).commentId;

const read = async (actor: Actor, reviewId: string) =>
  (await listComments(platform, actor, reviewId)).comments;

test("moderator and publisher read the same thread, and each knows their own comments", async () => {
  const { publisher, reviewId } = await givenReview();
  const moderator = await givenModerator();
  const root = await write(moderator, reviewId, { body: "Where does the VIN go?" });
  await write(publisher, reviewId, { body: "To NHTSA.", parentId: root });
  expect(await read(publisher, reviewId)).toMatchObject([
    { id: root, body: "Where does the VIN go?", moderator: true, mine: false, parentId: null },
    { body: "To NHTSA.", moderator: false, mine: true, parentId: root },
  ]);
  expect((await read(moderator, reviewId)).map(({ mine }) => mine)).toEqual([true, false]);
  const { rows } = await platform.pool.query("select 1 from audit where action = 'review.comment'");
  expect(rows).toHaveLength(2);
});

// Guarantee: only moderators and the publisher see their conversation, whatever role or organization a reader has elsewhere.
test("nobody else reads or writes: a foreign review looks like an absent one", async () => {
  const { publisher, reviewId } = await givenReview();
  const commentId = await write(publisher, reviewId, { body: "Hello" });
  const operator = { ...publisher, organization: { ...publisher.organization, role: "operator" } } as Member;
  const elsewhere = await givenMember(platform, "harbor");
  const others: Actor[] = [
    elsewhere,
    operator,
    { ...publisher, organization: elsewhere.organization },
    { ...publisher, organization: undefined },
  ];
  const absent = v7();
  for (const [actor, id] of [
    ...others.map((each) => [each, reviewId] as const),
    [publisher, absent] as const,
  ]) {
    const attempts = await Promise.allSettled([
      listComments(platform, actor, id),
      writeComment(platform, actor, id, { body: "x" }),
      editOwnComment(platform, actor, id, commentId, "x"),
      settleThread(platform, actor, id, commentId, true),
    ]);
    expect(attempts).toMatchObject(Array(4).fill({ reason: { code: "NOT_FOUND" } }));
  }
  expect(await read(publisher, reviewId)).toMatchObject([
    { body: "Hello", editedAt: null, resolvedAt: null },
  ]);
});

test("a moderator of the publishing organization reads, but never writes as a moderator", async () => {
  const { publisher, reviewId } = await givenReview();
  const elsewhere = await givenMember(platform, "harbor");
  const both = { ...publisher, organization: elsewhere.organization, moderator: true };
  expect(await read(both, reviewId)).toEqual([]);
  await expect(write(both, reviewId, { body: "x" })).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await write({ ...publisher, moderator: true }, reviewId, { body: "As the publisher" });
  expect(await read(publisher, reviewId)).toMatchObject([{ moderator: false }]);
});

// Guarantee: an anchor shows what was there, read by the platform and not sent by the browser.
test("an anchor keeps the line of the manifest, the field of the text, or the title of the check", async () => {
  const { publisher, reviewId, version } = await givenReview();
  const check = { name: "health", result: "PASS", title: "Healthy", detail: "", ms: 1 };
  await platform.pool.query("update evidence set checks = $1", [JSON.stringify([check])]);
  const lines = version.manifestText.split("\n");
  await write(publisher, reviewId, { body: "a", anchor: { type: "manifest", line: 2 } });
  await write(publisher, reviewId, { body: "b", anchor: { type: "text", field: "about.product" } });
  await write(publisher, reviewId, { body: "c", anchor: { type: "check", name: "health" } });
  expect((await read(publisher, reviewId)).map(({ anchor }) => anchor)).toEqual([
    { type: "manifest", line: 2, quote: lines[1] },
    { type: "text", field: "about.product", quote: "Looks up a VIN." },
    { type: "check", name: "health", quote: "Healthy" },
  ]);
  for (const anchor of [
    { type: "manifest", line: lines.length + 1 },
    { type: "check", name: "memory" },
  ] as const)
    await expect(write(publisher, reviewId, { body: "x", anchor })).rejects.toMatchObject({
      code: "BAD_INPUT",
      issues: [{ pointer: "/anchor" }],
    });
});

test("a reply belongs to a thread of the same review", async () => {
  const { publisher, reviewId } = await givenReview();
  const moderator = await givenModerator();
  const other = await givenReview("globex");
  const root = await write(moderator, reviewId, { body: "root" });
  const reply = await write(publisher, reviewId, { body: "reply", parentId: root });
  const foreign = await write(moderator, other.reviewId, { body: "foreign" });
  for (const parentId of [reply, foreign, v7()])
    await expect(write(publisher, reviewId, { body: "x", parentId })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
});

test("a comment is edited by its author for 15 minutes", async () => {
  const { publisher, reviewId } = await givenReview();
  const moderator = await givenModerator();
  const id = await write(moderator, reviewId, { body: "tpyo" });
  await expect(editOwnComment(platform, publisher, reviewId, id, "x")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await editOwnComment(platform, moderator, reviewId, id, "typo");
  expect(await read(publisher, reviewId)).toMatchObject([{ body: "typo", editedAt: expect.any(String) }]);
  await platform.pool.query("update review_comments set created_at = now() - interval '15 minutes 1 second'");
  await expect(editOwnComment(platform, moderator, reviewId, id, "late")).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: expect.stringContaining("reply"),
  });
});

test("both sides resolve and reopen a thread; resolving twice keeps who was first", async () => {
  const { publisher, reviewId } = await givenReview();
  const moderator = await givenModerator();
  const root = await write(moderator, reviewId, { body: "root" });
  const reply = await write(publisher, reviewId, { body: "done", parentId: root });
  await Promise.all([
    settleThread(platform, publisher, reviewId, root, true),
    settleThread(platform, publisher, reviewId, root, true),
  ]);
  await settleThread(platform, moderator, reviewId, root, true);
  expect(one((await read(moderator, reviewId)).filter(({ id }) => id === root))).toMatchObject({
    resolvedBy: publisher.name,
    resolvedAt: expect.any(String),
  });
  await settleThread(platform, moderator, reviewId, root, false);
  expect((await read(moderator, reviewId))[0]).toMatchObject({ resolvedBy: null, resolvedAt: null });
  await expect(settleThread(platform, moderator, reviewId, reply, true)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const { rows } = await platform.pool.query("select 1 from audit where action = 'review.comment-resolve'");
  expect(rows).toHaveLength(1);
});

// Guarantee: each comment reaches the other side, and not its author.
test("a comment notifies the other side: all moderators first, then those who take part", async () => {
  const { publisher, reviewId } = await givenReview();
  const colleague = await givenMember(platform, "acme", "publisher");
  await givenMember(platform, "acme", "operator");
  const moderators = await Promise.all(["one", "two"].map(givenModerator));
  await platform.pool.query("update users set moderator = true where id = any($1)", [
    moderators.map(({ userId }) => userId),
  ]);
  const told = async () => {
    const { rows } = await platform.pool.query<{ name: string; href: string }>(
      "select u.name || ' ' || n.count as name, n.href from notifications n join users u on u.id = n.user_id where n.kind = 'comment' order by 1",
    );
    return rows.map(({ name, href }) => [name, href]);
  };
  const [publishersPage, moderatorsPage] = [
    `/publish/vin-lookup/reviews/${reviewId}`,
    `/moderation/${reviewId}`,
  ];
  await write(publisher, reviewId, { body: "Hello?" });
  expect(await told()).toEqual([
    ["owner of one 1", moderatorsPage],
    ["owner of two 1", moderatorsPage],
    [`${colleague.name} 1`, publishersPage],
  ]);
  await write(moderators[0] ?? publisher, reviewId, { body: "Hello." });
  await write(publisher, reviewId, { body: "Thanks." });
  expect(await told()).toEqual([
    ["owner of acme 1", publishersPage],
    ["owner of one 2", moderatorsPage],
    ["owner of two 1", moderatorsPage],
    [`${colleague.name} 3`, publishersPage],
  ]);
});
