import { endOtherSessions } from "@/lib/server/accounts/sessions";
import { route } from "@/lib/server/surface/web/route";

export const DELETE = route("DELETE /api/account/sessions", {
  run: ({ platform, actor }) => endOtherSessions(platform, actor),
});
