import { switchInput } from "@/lib/contract/accounts/account";
import { switchOrganization } from "@/lib/server/accounts/organization";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/account/organization", {
  body: switchInput,
  run: ({ platform, actor, body }) => switchOrganization(platform, actor, body.organizationId),
});
