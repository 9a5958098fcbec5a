import { organizationProfile } from "@/lib/contract/membership";
import { changeProfile } from "@/lib/server/organizations/change-profile";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/organization/profile", {
  body: organizationProfile,
  run: ({ platform, member, body }) => changeProfile(platform, member, body),
});
