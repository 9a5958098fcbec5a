import { emailChangeInput } from "@/lib/contract/account";
import { requestEmailChange } from "@/lib/server/account/change-profile";
import { currentClient } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/account/email", {
  body: emailChangeInput,
  run: async ({ platform, actor, body }) => requestEmailChange(platform, actor, body, await currentClient()),
});
