import { emailChangeInput } from "@/lib/contract/accounts/account";
import { requestEmailChange } from "@/lib/server/accounts/change-profile";
import { currentClient } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/account/email", {
  body: emailChangeInput,
  run: async ({ platform, actor, body }) => requestEmailChange(platform, actor, body, await currentClient()),
});
