import { invitedPersonInput } from "@/lib/contract/accounts/account";
import { signUpInvited } from "@/lib/server/accounts/request-sign-up";
import { currentClient } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/invitations/[token]/sign-up", {
  body: invitedPersonInput,
  created: true,
  run: async ({ platform, params, body }) =>
    signUpInvited(platform, params.token ?? "", body, await currentClient()),
});
