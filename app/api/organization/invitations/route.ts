import { invitationInput } from "@/lib/contract/invitation";
import { createInvitation } from "@/lib/server/invitations/manage-invitations";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/organization/invitations", {
  body: invitationInput,
  created: true,
  run: ({ platform, member, body }) => createInvitation(platform, member, body),
});
