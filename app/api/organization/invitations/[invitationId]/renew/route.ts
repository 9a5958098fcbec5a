import { renewInvitation } from "@/lib/server/invitations/manage-invitations";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/organization/invitations/[invitationId]/renew", {
  created: true,
  run: ({ platform, member, params }) => renewInvitation(platform, member, params.invitationId ?? ""),
});
