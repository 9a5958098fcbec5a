import { newOwnerConfirmation } from "@/lib/contract/account";
import { confirmSignUp } from "@/lib/server/identity/request-sign-up";
import { currentClient } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/sign-up/confirm", {
  body: newOwnerConfirmation,
  run: async ({ platform, body }) => confirmSignUp(platform, body, await currentClient()),
});
