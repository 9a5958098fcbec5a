import { confirmPasswordInput } from "@/lib/contract/account";
import { renewRecoveryCodes } from "@/lib/server/account/second-factor";
import { currentClient } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/account/second-factor/recovery-codes", {
  body: confirmPasswordInput,
  run: async ({ platform, actor, body }) => ({
    recoveryCodes: await renewRecoveryCodes(platform, actor, body.currentPassword, await currentClient()),
  }),
});
