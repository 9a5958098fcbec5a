import { requestIsolationCheck } from "@/lib/server/isolation/request-check";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/moderation/isolation", {
  run: ({ platform, actor }) => requestIsolationCheck(platform, actor),
});
