import { organizationSettings } from "@/lib/contract/organization";
import { changeSettings } from "@/lib/server/organizations/change-settings";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/organization/settings", {
  body: organizationSettings,
  run: ({ platform, member, body }) => changeSettings(platform, member, body),
});
