import { checkAgain, readEvidenceAs } from "@/lib/server/moderation/decide-review";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/reviews/[reviewId]/evidence", {
  run: ({ platform, actor, params }) => readEvidenceAs(platform, actor, params.reviewId ?? ""),
});

export const POST = route("POST /api/reviews/[reviewId]/evidence", {
  run: ({ platform, actor, params }) => checkAgain(platform, actor, params.reviewId ?? ""),
});
