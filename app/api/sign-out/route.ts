import { signOut } from "@/lib/server/accounts/sessions";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/sign-out", {
  run: ({ platform, actor }) => signOut(platform, actor.sessionId),
});
