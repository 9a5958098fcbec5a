import { passwordChangeInput } from "@/lib/contract/account";
import { changePassword } from "@/lib/server/account/set-password";
import { currentClient } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/account/password", {
  body: passwordChangeInput,
  run: async ({ platform, actor, body }) => changePassword(platform, actor, body, await currentClient()),
});
