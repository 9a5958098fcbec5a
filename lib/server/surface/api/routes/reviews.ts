/** Submits a version of an app for review, or withdraws it. */
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { submittedVersion, submitVersionInput } from "@/lib/contract/surface/own-app";
import { selectNewestVersion, selectVersionId } from "../../../catalog/version-queries";
import { withdrawReview } from "../../../moderation/end-review";
import { selectReview } from "../../../moderation/review-queries";
import { submitReview } from "../../../moderation/submit-review";
import { keyForApp } from "./credentials";
import { webPage } from "./exchange";
import { json, NOTHING, route, SAMPLE } from "./route";

export const submission = route({
  name: "POST /publish/v1/apps/<organization>/<app>/reviews",
  credential: keyForApp("reviews:submit"),
  summary: "Submit a version for review",
  description:
    "Submits the version together with the listing's text. 400 names everything that is missing in the text; 409 says why " +
    "the version can't be reviewed now. The API key needs the scope `reviews:submit`.",
  body: json(submitVersionInput, { version: "1.4.0", note: "The test tenant is harbor-test." }),
  status: 201,
  answer: json(submittedVersion, {
    reviewId: SAMPLE.id,
    version: "1.4.0",
    page: `${SAMPLE.page}/reviews/${SAMPLE.id}`,
  }),
  problems: ["WRONG_STATE"],
  run: async ({ platform, caller: { agent, app }, body: { version, ...input } }) => {
    const { name, listing } = app;
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
    const page = webPage(platform, `/publish/${listing.appName}/reviews/${reviewId}`);
    return { reviewId, version: number, page };
  },
});

export const withdrawal = route({
  name: "DELETE /publish/v1/apps/<organization>/<app>/reviews/<reviewId>",
  credential: keyForApp("reviews:submit"),
  summary: "Withdraw a review",
  description:
    "Before it is decided, for example to submit a newer version. The API key needs the scope `reviews:submit`.",
  parameters: { reviewId: "The review's ID, from the app's status." },
  status: 204,
  answer: NOTHING,
  problems: ["WRONG_STATE"],
  run: async ({ platform, caller: { agent, app }, parts: [, , reviewId = ""] }) => {
    const review = isId(reviewId) ? await selectReview(platform.db, reviewId) : undefined;
    if (review?.listingId !== app.listing.id) throw new Problem("NOT_FOUND");
    await withdrawReview(platform, agent, reviewId);
  },
});
