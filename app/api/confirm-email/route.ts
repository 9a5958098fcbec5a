import { linkInput } from "@/lib/contract/account";
import { confirmEmailChange } from "@/lib/server/account/change-profile";
import { currentClient } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/confirm-email", {
  body: linkInput,
  run: async ({ platform, body }) => confirmEmailChange(platform, body.token, await currentClient()),
});
