import { openSandbox } from "@/lib/server/moderation/open-sandbox";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/reviews/[reviewId]/sandbox", {
  run: ({ platform, actor, params }) => openSandbox(platform, actor, params.reviewId ?? ""),
});
