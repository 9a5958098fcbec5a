import { endOtherSessions } from "@/lib/server/identity/sessions";
import { route } from "@/lib/server/web/route";

export const DELETE = route("DELETE /api/account/sessions", {
  run: ({ platform, actor }) => endOtherSessions(platform, actor),
});
