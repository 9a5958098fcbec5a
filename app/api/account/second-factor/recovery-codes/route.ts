import { confirmPasswordInput } from "@/lib/contract/accounts/account";
import { renewRecoveryCodes } from "@/lib/server/accounts/second-factor";
import { currentClient } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/account/second-factor/recovery-codes", {
  body: confirmPasswordInput,
  run: async ({ platform, actor, body }) => ({
    recoveryCodes: await renewRecoveryCodes(platform, actor, body.currentPassword, await currentClient()),
  }),
});
