import { invitedPersonInput } from "@/lib/contract/invitation";
import { signUpInvited } from "@/lib/server/identity/sign-up-invited";
import { currentClient } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/invitations/[token]/sign-up", {
  body: invitedPersonInput,
  created: true,
  run: async ({ platform, params, body }) =>
    signUpInvited(platform, params.token ?? "", body, await currentClient()),
});
