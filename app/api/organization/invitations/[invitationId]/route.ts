import { revokeInvitation } from "@/lib/server/accounts/manage-invitations";
import { route } from "@/lib/server/surface/web/route";

export const DELETE = route("DELETE /api/organization/invitations/[invitationId]", {
  run: ({ platform, member, params }) => revokeInvitation(platform, member, params.invitationId ?? ""),
});
