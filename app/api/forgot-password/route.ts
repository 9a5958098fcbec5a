import { passwordResetInput } from "@/lib/contract/account";
import { requestNewPassword } from "@/lib/server/account/set-password";
import { currentClient } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/forgot-password", {
  body: passwordResetInput,
  run: async ({ platform, body }) => requestNewPassword(platform, body.email, await currentClient()),
});
