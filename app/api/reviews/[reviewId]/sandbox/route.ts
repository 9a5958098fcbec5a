import { openSandbox } from "@/lib/server/reviews/open-sandbox";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/reviews/[reviewId]/sandbox", {
  run: ({ platform, actor, params }) => openSandbox(platform, actor, params.reviewId ?? ""),
});
