import { switchInput } from "@/lib/contract/membership";
import { switchOrganization } from "@/lib/server/members/switch-organization";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/account/organization", {
  body: switchInput,
  run: ({ platform, actor, body }) => switchOrganization(platform, actor, body.organizationId),
});
