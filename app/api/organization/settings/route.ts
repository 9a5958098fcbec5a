import { organizationSettings } from "@/lib/contract/accounts/account";
import { changeSettings } from "@/lib/server/accounts/organization";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/organization/settings", {
  body: organizationSettings,
  run: ({ platform, member, body }) => changeSettings(platform, member, body),
});
