import { signOut } from "@/lib/server/identity/sessions";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/sign-out", {
  run: ({ platform, actor }) => signOut(platform, actor.sessionId),
});
