import { revokeInvitation } from "@/lib/server/invitations/manage-invitations";
import { route } from "@/lib/server/web/route";

export const DELETE = route("DELETE /api/organization/invitations/[invitationId]", {
  run: ({ platform, member, params }) => revokeInvitation(platform, member, params.invitationId ?? ""),
});
