import { memberRemovalInput } from "@/lib/contract/accounts/account";
import { removeMember } from "@/lib/server/accounts/members";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/organization/members/[memberId]/remove", {
  body: memberRemovalInput,
  run: ({ platform, member, params, body }) => removeMember(platform, member, params.memberId ?? "", body),
});
