import { confirmPasswordInput } from "@/lib/contract/account";
import { removeSecondFactor } from "@/lib/server/account/second-factor";
import { currentClient } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/account/second-factor/remove", {
  body: confirmPasswordInput,
  run: async ({ platform, actor, body }) =>
    removeSecondFactor(platform, actor, body.currentPassword, await currentClient()),
});
