import { invitationInput } from "@/lib/contract/accounts/account";
import { createInvitation } from "@/lib/server/accounts/manage-invitations";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/organization/invitations", {
  body: invitationInput,
  created: true,
  run: ({ platform, member, body }) => createInvitation(platform, member, body),
});
