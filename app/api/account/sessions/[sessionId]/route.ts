import { endSession } from "@/lib/server/identity/sessions";
import { route } from "@/lib/server/web/route";

export const DELETE = route("DELETE /api/account/sessions/[sessionId]", {
  run: ({ platform, actor, params }) => endSession(platform, actor, params.sessionId ?? ""),
});
