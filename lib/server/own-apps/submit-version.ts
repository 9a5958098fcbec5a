import type { SubmittedVersion, SubmitVersionInput } from "@/lib/contract/own-app";
import { Problem } from "@/lib/contract/problem";
import type { Agent } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { submitReview } from "../reviews/submit-review";
import { selectReview } from "../reviews/queries";
import { withdrawReview } from "../reviews/withdraw-review";
import { selectNewestVersion, selectVersionId } from "../versions/queries";
import { isId } from "@/lib/contract/names";
import type { OwnApp } from "./find-app";
import { appPage } from "./pages";

/** Submits a version for review, by its number; the newest by default. Throws NOT_FOUND without one, and as `submitReview`. */
export async function submitVersion(
  platform: Platform,
  agent: Agent,
  { name, listing }: OwnApp,
  { version, ...input }: SubmitVersionInput,
): Promise<SubmittedVersion> {
  const newest = version === undefined ? await selectNewestVersion(platform.db, listing.id) : undefined;
  const number = version ?? newest?.number;
  if (number === undefined)
    throw new Problem("NOT_FOUND", `${name} has no version yet. Publish one, then submit it.`);
  const versionId = newest?.id ?? (await selectVersionId(platform.db, listing.id, number));
  if (versionId === undefined)
    throw new Problem(
      "NOT_FOUND",
      `${name} has no version ${number}. Publish it first, or check the number.`,
    );
  const { reviewId } = await submitReview(platform, agent, listing.id, { versionId, ...input });
  return { reviewId, version: number, page: appPage(platform, listing.appName, `/reviews/${reviewId}`) };
}

/** Withdraws a review of the app. Throws NOT_FOUND if it has none with this id, and as `withdrawReview`. */
export async function withdrawVersion(
  platform: Platform,
  agent: Agent,
  { listing }: OwnApp,
  reviewId: string,
): Promise<void> {
  const review = isId(reviewId) ? await selectReview(platform.db, reviewId) : undefined;
  if (review?.listingId !== listing.id) throw new Problem("NOT_FOUND");
  await withdrawReview(platform, agent, reviewId);
}
