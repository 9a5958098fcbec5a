import { roleInput } from "@/lib/contract/membership";
import { changeRole } from "@/lib/server/members/members";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/organization/members/[memberId]/role", {
  body: roleInput,
  run: ({ platform, member, params, body }) => changeRole(platform, member, params.memberId ?? "", body.role),
});
