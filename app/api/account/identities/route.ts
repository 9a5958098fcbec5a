import { unlinkIdentities } from "@/lib/server/accounts/sign-in";
import { route } from "@/lib/server/surface/web/route";

export const DELETE = route("DELETE /api/account/identities", {
  run: ({ platform, actor }) => unlinkIdentities(platform, actor),
});
