import { renewInvitation } from "@/lib/server/accounts/manage-invitations";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/organization/invitations/[invitationId]/renew", {
  created: true,
  run: ({ platform, member, params }) => renewInvitation(platform, member, params.invitationId ?? ""),
});
