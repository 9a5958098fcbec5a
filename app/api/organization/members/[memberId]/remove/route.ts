import { memberRemovalInput } from "@/lib/contract/membership";
import { removeMember } from "@/lib/server/members/members";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/organization/members/[memberId]/remove", {
  body: memberRemovalInput,
  run: ({ platform, member, params, body }) => removeMember(platform, member, params.memberId ?? "", body),
});
