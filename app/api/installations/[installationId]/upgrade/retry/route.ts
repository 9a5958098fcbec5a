import { retryUpgrade } from "@/lib/server/upgrades/begin-upgrade";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/installations/[installationId]/upgrade/retry", {
  run: ({ platform, member, params }) => retryUpgrade(platform, member, params.installationId ?? ""),
});
