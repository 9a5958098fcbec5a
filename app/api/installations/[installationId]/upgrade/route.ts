import { upgradeInput } from "@/lib/contract/installation";
import { beginUpgrade } from "@/lib/server/upgrades/begin-upgrade";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/installations/[installationId]/upgrade", {
  body: upgradeInput,
  run: ({ platform, member, params, body }) =>
    beginUpgrade(platform, member, params.installationId ?? "", body),
});
