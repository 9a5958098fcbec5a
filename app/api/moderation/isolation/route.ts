import { requestIsolationCheck } from "@/lib/server/runtime/isolation";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/moderation/isolation", {
  run: ({ platform, actor }) => requestIsolationCheck(platform, actor),
});
