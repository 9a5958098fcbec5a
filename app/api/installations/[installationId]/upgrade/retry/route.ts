import { retryUpgrade } from "@/lib/server/installations/upgrade-installation";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/installations/[installationId]/upgrade/retry", {
  run: ({ platform, member, params }) => retryUpgrade(platform, member, params.installationId ?? ""),
});
