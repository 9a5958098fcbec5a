import { confirmPasswordInput, secondFactorCodeInput } from "@/lib/contract/account";
import { beginSecondFactor, confirmSecondFactor } from "@/lib/server/account/second-factor";
import { currentClient } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/account/second-factor", {
  body: confirmPasswordInput,
  run: async ({ platform, actor, body }) =>
    beginSecondFactor(platform, actor, body.currentPassword, await currentClient()),
});

export const PUT = route("PUT /api/account/second-factor", {
  body: secondFactorCodeInput,
  run: async ({ platform, actor, body }) => ({
    recoveryCodes: await confirmSecondFactor(platform, actor, body.code),
  }),
});
