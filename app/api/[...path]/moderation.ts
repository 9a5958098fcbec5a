import { decisionInput, submitReviewInput, submitTextInput } from "@/lib/contract/catalog/listing";
import {
  commentEdit,
  commentInput,
  commentResolution,
  reportInput,
  suspensionInput,
} from "@/lib/contract/moderation/review";
import { editOwnComment, listComments, settleThread, writeComment } from "@/lib/server/moderation/comments";
import {
  checkAgain,
  claimReview,
  decideReview,
  readEvidenceAs,
  releaseReview,
  requireChecked,
} from "@/lib/server/moderation/decide-review";
import { withdrawReview } from "@/lib/server/moderation/end-review";
import { openSandbox } from "@/lib/server/moderation/open-sandbox";
import { closeReport, reportListing } from "@/lib/server/moderation/report-listing";
import { submitReview, submitText } from "@/lib/server/moderation/submit-review";
import { reinstateListing, retireListing, suspendListing } from "@/lib/server/moderation/suspend-listing";
import { route } from "@/lib/server/surface/web/route";

export const moderationRoutes = [
  route("POST /api/listings/[listingId]/retire", {
    run: ({ platform, member, params }) => retireListing(platform, member, params.listingId ?? ""),
  }),

  route("POST /api/listings/[listingId]/reviews", {
    body: submitReviewInput,
    created: true,
    run: ({ platform, member, params, body }) => submitReview(platform, member, params.listingId ?? "", body),
  }),

  route("POST /api/listings/[listingId]/reports", {
    body: reportInput,
    created: true,
    run: ({ platform, actor, params, body }) => reportListing(platform, actor, params.listingId ?? "", body),
  }),

  route("DELETE /api/listing-reports/[reportId]", {
    run: ({ platform, actor, params }) => closeReport(platform, actor, params.reportId ?? ""),
  }),

  route("POST /api/listings/[listingId]/suspension", {
    body: suspensionInput,
    run: ({ platform, actor, params, body }) => suspendListing(platform, actor, params.listingId ?? "", body),
  }),

  route("DELETE /api/listings/[listingId]/suspension", {
    run: ({ platform, actor, params }) => reinstateListing(platform, actor, params.listingId ?? ""),
  }),

  route("POST /api/listings/[listingId]/text/review", {
    body: submitTextInput,
    created: true,
    run: ({ platform, member, params, body }) => submitText(platform, member, params.listingId ?? "", body),
  }),

  route("POST /api/reviews/[reviewId]/claim", {
    run: ({ platform, actor, params }) => claimReview(platform, actor, params.reviewId ?? ""),
  }),

  route("DELETE /api/reviews/[reviewId]/claim", {
    run: ({ platform, actor, params }) => releaseReview(platform, actor, params.reviewId ?? ""),
  }),

  route("GET /api/reviews/[reviewId]/comments", {
    run: ({ platform, actor, params }) => listComments(platform, actor, params.reviewId ?? ""),
  }),

  route("POST /api/reviews/[reviewId]/comments", {
    body: commentInput,
    created: true,
    run: ({ platform, actor, params, body }) => writeComment(platform, actor, params.reviewId ?? "", body),
  }),

  route("PUT /api/reviews/[reviewId]/comments/[commentId]", {
    body: commentEdit,
    run: ({ platform, actor, params, body }) =>
      editOwnComment(platform, actor, params.reviewId ?? "", params.commentId ?? "", body.body),
  }),

  route("PUT /api/reviews/[reviewId]/comments/[commentId]/resolution", {
    body: commentResolution,
    run: ({ platform, actor, params, body }) =>
      settleThread(platform, actor, params.reviewId ?? "", params.commentId ?? "", body.resolved),
  }),

  route("POST /api/reviews/[reviewId]/decision", {
    body: decisionInput,
    run: async ({ platform, actor, params: { reviewId = "" }, body }) => {
      await requireChecked(platform, actor, reviewId, body);
      await decideReview(platform, actor, reviewId, body);
    },
  }),

  route("GET /api/reviews/[reviewId]/evidence", {
    run: ({ platform, actor, params }) => readEvidenceAs(platform, actor, params.reviewId ?? ""),
  }),

  route("POST /api/reviews/[reviewId]/evidence", {
    run: ({ platform, actor, params }) => checkAgain(platform, actor, params.reviewId ?? ""),
  }),

  route("POST /api/reviews/[reviewId]/sandbox", {
    run: ({ platform, actor, params }) => openSandbox(platform, actor, params.reviewId ?? ""),
  }),

  route("POST /api/reviews/[reviewId]/withdraw", {
    run: ({ platform, member, params }) => withdrawReview(platform, member, params.reviewId ?? ""),
  }),
];
