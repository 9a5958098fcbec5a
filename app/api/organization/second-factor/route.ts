import { secondFactorRequirement } from "@/lib/contract/account";
import { requireSecondFactor } from "@/lib/server/account/second-factor";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/organization/second-factor", {
  body: secondFactorRequirement,
  run: ({ platform, member, body }) => requireSecondFactor(platform, member, body.required),
});
