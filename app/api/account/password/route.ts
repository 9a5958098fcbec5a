import { passwordChangeInput } from "@/lib/contract/accounts/account";
import { changePassword } from "@/lib/server/accounts/set-password";
import { currentClient } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/account/password", {
  body: passwordChangeInput,
  run: async ({ platform, actor, body }) => changePassword(platform, actor, body, await currentClient()),
});
