import { unlinkIdentities } from "@/lib/server/linked-identities/sign-in-with-identity";
import { route } from "@/lib/server/web/route";

export const DELETE = route("DELETE /api/account/identities", {
  run: ({ platform, actor }) => unlinkIdentities(platform, actor),
});
