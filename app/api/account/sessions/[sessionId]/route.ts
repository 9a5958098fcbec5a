import { endSession } from "@/lib/server/accounts/sessions";
import { route } from "@/lib/server/surface/web/route";

export const DELETE = route("DELETE /api/account/sessions/[sessionId]", {
  run: ({ platform, actor, params }) => endSession(platform, actor, params.sessionId ?? ""),
});
