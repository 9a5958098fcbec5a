import { acceptInvitation } from "@/lib/server/invitations/accept-invitation";
import { currentClient } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/invitations/[token]/accept", {
  run: async ({ platform, actor, params }) =>
    acceptInvitation(platform, actor, params.token ?? "", await currentClient()),
});
