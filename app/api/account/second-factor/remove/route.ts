import { confirmPasswordInput } from "@/lib/contract/accounts/account";
import { removeSecondFactor } from "@/lib/server/accounts/second-factor";
import { currentClient } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/account/second-factor/remove", {
  body: confirmPasswordInput,
  run: async ({ platform, actor, body }) =>
    removeSecondFactor(platform, actor, body.currentPassword, await currentClient()),
});
