import { passwordResetInput } from "@/lib/contract/accounts/account";
import { requestNewPassword } from "@/lib/server/accounts/set-password";
import { currentClient } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/forgot-password", {
  body: passwordResetInput,
  run: async ({ platform, body }) => requestNewPassword(platform, body.email, await currentClient()),
});
