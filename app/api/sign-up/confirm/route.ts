import { newOwnerConfirmation } from "@/lib/contract/accounts/account";
import { confirmSignUp } from "@/lib/server/accounts/request-sign-up";
import { currentClient } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/sign-up/confirm", {
  body: newOwnerConfirmation,
  run: async ({ platform, body }) => confirmSignUp(platform, body, await currentClient()),
});
