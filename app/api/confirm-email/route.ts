import { linkInput } from "@/lib/contract/accounts/account";
import { confirmEmailChange } from "@/lib/server/accounts/change-profile";
import { currentClient } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/confirm-email", {
  body: linkInput,
  run: async ({ platform, body }) => confirmEmailChange(platform, body.token, await currentClient()),
});
