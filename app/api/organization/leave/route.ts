import { leaveOrganization } from "@/lib/server/members/members";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/organization/leave", {
  run: ({ platform, member }) => leaveOrganization(platform, member),
});
