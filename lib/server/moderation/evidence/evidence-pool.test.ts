import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { installations } from "@/drizzle/schema/installations";
import { evidence } from "@/drizzle/schema/moderation";
import { notifications } from "@/drizzle/schema/platform";
import { newLease, workOnce } from "@/tests/deliver";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { givenListing, givenMember, testPlatform } from "@/tests/test-platform";
import { reconcileInstances } from "../../runtime/reconcile-instances";
import { selectUnmetDemands } from "../../runtime/instance-queries";
import { checkAgain, claimReview, decideReview, readEvidenceAs, releaseReview } from "../decide-review";
import { withdrawReview } from "../end-review";
import { submitReview } from "../submit-review";
import { retireListing } from "../suspend-listing";
import { evidencePool } from "./evidence-pool";
import { claimEvidence } from "./queries";
import { queueEvidence, readEvidence } from "./queue-evidence";

const platform = await testPlatform();
const LIMITS = { readyWithinMs: 2_000, callsMs: 10_000 };
const obliging = () => fakeRuntimes((response) => void response.end("{}"), "docker");

async function givenSubmitted(slug = "acme", appName = "vin-lookup") {
  const publisher = await givenMember(platform, slug);
  const { listing, version } = await givenListing(platform, publisher, { appName });
  const { reviewId } = await submitReview(platform, publisher, listing.id, { versionId: version.id });
  return { publisher, listing, version, reviewId };
}

const claim = (limit = 10) => claimEvidence(platform.db, limit, newLease());
const expireLeases = () =>
  platform.db.update(evidence).set({ leasedUntil: sql`now() - interval '1 second'` });
const check = (fake = obliging()) => workOnce(evidencePool(platform, fake.runtimes, LIMITS));

// Guarantee: a publisher who submits many apps delays no other publisher, and starts one container at a time.
test("one version of an organization is checked at a time, the oldest first", async () => {
  const first = await givenSubmitted("acme", "one");
  const second = await givenSubmitted("acme", "two");
  const other = await givenSubmitted("other", "three");
  expect((await claim()).map(({ reviewId }) => reviewId).sort()).toEqual(
    [first.reviewId, other.reviewId].sort(),
  );
  expect(await claim()).toEqual([]);
  await withdrawReview(platform, first.publisher, first.reviewId);
  expect((await claim()).map(({ reviewId }) => reviewId)).toEqual([second.reviewId]);
});

const evidenceOf = (reviewId: string) => readEvidence(platform, reviewId);

// Guarantee: nothing waits forever for a review that is over, no matter who ended it.
test("checks that wait end with their review: withdrawn, decided or retired", async () => {
  const moderator = { ...(await givenMember(platform, "moderators")), moderator: true };
  const withdrawn = await givenSubmitted("acme", "one");
  const decided = await givenSubmitted("bolt", "two");
  const retired = await givenSubmitted("cask", "three");
  await withdrawReview(platform, withdrawn.publisher, withdrawn.reviewId);
  await decideReview(platform, moderator, decided.reviewId, { decision: "approve", note: "" });
  await retireListing(platform, retired.publisher, retired.listing.id);
  for (const { reviewId } of [withdrawn, decided, retired])
    expect(await evidenceOf(reviewId)).toMatchObject({ state: "CANCELED", endedAt: expect.any(String) });
  expect(await claim()).toEqual([]);
});

// Guarantee: an app under review is gone within seconds of the end of its review, even while a call of it hangs.
test("checks that run end with their review, with their container and their state keys", async () => {
  const { publisher, reviewId } = await givenSubmitted();
  let withdrawnAtMs = 0;
  const states: string[] = [];
  const fake = fakeRuntimes(async (response, { url }) => {
    if (url === "/health") return void response.end();
    if (withdrawnAtMs > 0) return;
    withdrawnAtMs = performance.now();
    await withdrawReview(platform, publisher, reviewId);
    states.push(...(await platform.db.select().from(installations)).map(({ state }) => state));
  }, "docker");
  await check(fake);
  // The call itself would hang until its deadline, which is 10 s at least.
  expect(performance.now() - withdrawnAtMs).toBeLessThan(9_000);
  expect(states).toEqual(["UNINSTALLED", "UNINSTALLED"]);
  expect(fake.handles()).toEqual([]);
  const found = await evidenceOf(reviewId);
  expect(found).toMatchObject({ state: "CANCELED", reason: null });
  expect(found?.checks.map(({ name }) => name)).toContain("health");
  expect(await platform.db.$count(notifications, eq(notifications.subject, `evidence:${reviewId}`))).toBe(0);
});

// Guarantee: a moderator who runs checks again at the moment of the decision leaves no checks that nobody ends.
test("checks are never queued for a review that has ended", async () => {
  const { publisher, reviewId } = await givenSubmitted();
  await withdrawReview(platform, publisher, reviewId);
  expect(await platform.db.transaction((tx) => queueEvidence(tx, reviewId))).toBe(false);
  expect(await evidenceOf(reviewId)).toMatchObject({ state: "CANCELED" });
});

// Guarantee: a worker that was killed while it checked leaves nothing behind, and the checks end all the same.
test("checks whose worker died start again, and fail with the reason after three times", async () => {
  const { reviewId } = await givenSubmitted();
  await claim();
  expect(await check()).toBe(0);
  await expireLeases();
  const fake = obliging();
  expect(await check(fake)).toBe(1);
  expect(await readEvidence(platform, reviewId)).toMatchObject({ state: "DONE" });
  expect(fake.handles()).toEqual([]);

  await platform.db.update(evidence).set({ state: "RUNNING", tries: 3 });
  await expireLeases();
  await check();
  expect(await readEvidence(platform, reviewId)).toMatchObject({
    state: "FAILED",
    reason: expect.stringContaining("interrupted 3 times"),
  });
});

test("made-up customers get no instance of their own, end with the checks, and a starting worker leaves them alone", async () => {
  const { version } = await givenSubmitted();
  const seen: unknown[] = [];
  const fake = fakeRuntimes(async (response, { url }) => {
    if (url.startsWith("/rate") && seen.length === 0) {
      seen.push(await selectUnmetDemands(platform.db, 5, []));
      await reconcileInstances(platform, fake.runtimes);
      seen.push(fake.handles().length);
    }
    response.end("{}");
  }, "docker");
  await check(fake);
  expect(seen).toEqual([[], 1]);
  // An own label, so that no customer's instance is ended.
  expect(fake.orders.map(({ versionId }) => versionId)).not.toContain(version.id);
  const states = (await platform.db.select().from(installations)).map(({ state }) => state);
  expect(states).toEqual(["UNINSTALLED", "UNINSTALLED"]);
});

// Guarantee: only moderators of other organizations run checks again, and the publisher and moderators alone read them.
test("run again and read", async () => {
  const { publisher, reviewId } = await givenSubmitted();
  const moderator = { ...(await givenMember(platform, "moderators")), moderator: true };
  const stranger = await givenMember(platform, "stranger");
  await expect(checkAgain(platform, moderator, reviewId)).rejects.toMatchObject({ code: "WRONG_STATE" });
  await check();
  await expect(checkAgain(platform, { ...publisher, moderator: true }, reviewId)).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  const claimer = { ...(await givenMember(platform, "claimer")), moderator: true };
  await platform.pool.query("update users set moderator = true where id = any($1)", [
    [claimer.userId, moderator.userId],
  ]);
  await claimReview(platform, claimer, reviewId);
  await expect(checkAgain(platform, moderator, reviewId)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: expect.stringMatching(/claimed this review.* ends automatically in (1 day|24 hours)\.$/),
  });
  await releaseReview(platform, claimer, reviewId);
  await checkAgain(platform, moderator, reviewId);
  const queued = { evidence: { state: "QUEUED", checks: [], facts: null } };
  expect(await readEvidenceAs(platform, publisher, reviewId)).toMatchObject(queued);
  expect(await readEvidenceAs(platform, moderator, reviewId)).toMatchObject(queued);
  await expect(readEvidenceAs(platform, stranger, reviewId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { rows } = await platform.pool.query("select action from audit where action = 'review.check-again'");
  expect(rows).toHaveLength(1);
  await withdrawReview(platform, publisher, reviewId);
  await expect(checkAgain(platform, moderator, reviewId)).rejects.toMatchObject({ code: "WRONG_STATE" });
});

// Guarantee: nobody has to watch the checks. The moderator who claimed the review is notified when they end, and the
// publisher if some failed.
test("the moderator who claimed the review is notified when they end, and the publisher if some failed", async () => {
  const moderator = { ...(await givenMember(platform, "moderators")), moderator: true };
  const told = async (reviewId: string) =>
    (await platform.db.select().from(notifications)).filter((row) => row.subject === `evidence:${reviewId}`);

  const good = await givenSubmitted("good", "good");
  await givenMember(platform, "good", "operator");
  await claimReview(platform, moderator, good.reviewId);
  await check(fakeRuntimes((response) => void response.writeHead(500).end(), "docker"));
  const failed = await told(good.reviewId);
  expect(failed).toHaveLength(2);
  expect(failed.find(({ userId }) => userId === moderator.userId)).toMatchObject({
    kind: "review-submitted",
    title: "The checks of version 1.4.0 of VIN lookup are ready",
    body: "Failed: Becomes healthy in time.",
    href: `/moderation/${good.reviewId}#evidence`,
  });
  expect(failed.find(({ userId }) => userId === good.publisher.userId)).toMatchObject({
    kind: "version",
    title: "Version 1.4.0 of VIN lookup failed its automatic checks",
    body: "Failed: Becomes healthy in time.",
    href: `/publish/good/reviews/${good.reviewId}#evidence`,
  });

  // Nobody claimed it, and a platform that can't run the checks is not the publisher's fault.
  const other = await givenSubmitted("other", "other");
  await platform.db.update(evidence).set({ state: "RUNNING", tries: 3 });
  await check();
  expect(await readEvidence(platform, other.reviewId)).toMatchObject({ state: "FAILED" });
  expect(await told(other.reviewId)).toEqual([]);
});
