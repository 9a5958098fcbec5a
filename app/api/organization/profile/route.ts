import { organizationProfile } from "@/lib/contract/accounts/account";
import { changeProfile } from "@/lib/server/accounts/organization";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/organization/profile", {
  body: organizationProfile,
  run: ({ platform, member, body }) => changeProfile(platform, member, body),
});
