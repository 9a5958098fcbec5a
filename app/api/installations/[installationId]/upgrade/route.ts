import { upgradeInput } from "@/lib/contract/catalog/configuration";
import { beginUpgrade } from "@/lib/server/installations/upgrade-installation";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/installations/[installationId]/upgrade", {
  body: upgradeInput,
  run: ({ platform, member, params, body }) =>
    beginUpgrade(platform, member, params.installationId ?? "", body),
});
