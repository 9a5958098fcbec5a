import { leaveOrganization } from "@/lib/server/accounts/members";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/organization/leave", {
  run: ({ platform, member }) => leaveOrganization(platform, member),
});
