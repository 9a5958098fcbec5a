import { confirmPasswordInput, secondFactorCodeInput } from "@/lib/contract/accounts/account";
import { beginSecondFactor, confirmSecondFactor } from "@/lib/server/accounts/second-factor";
import { currentClient } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

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
