import { roleInput } from "@/lib/contract/accounts/account";
import { changeRole } from "@/lib/server/accounts/members";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/organization/members/[memberId]/role", {
  body: roleInput,
  run: ({ platform, member, params, body }) => changeRole(platform, member, params.memberId ?? "", body.role),
});
