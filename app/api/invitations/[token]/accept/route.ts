import { acceptInvitation } from "@/lib/server/accounts/join-organization";
import { currentClient } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/invitations/[token]/accept", {
  run: async ({ platform, actor, params }) =>
    acceptInvitation(platform, actor, params.token ?? "", await currentClient()),
});
