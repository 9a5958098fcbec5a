import { secondFactorRequirement } from "@/lib/contract/accounts/account";
import { requireSecondFactor } from "@/lib/server/accounts/second-factor";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/organization/second-factor", {
  body: secondFactorRequirement,
  run: ({ platform, member, body }) => requireSecondFactor(platform, member, body.required),
});
