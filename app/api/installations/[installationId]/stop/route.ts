import { stopInstallation } from "@/lib/server/installations/command-installation";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/installations/[installationId]/stop", {
  run: ({ platform, member, params }) => stopInstallation(platform, member, params.installationId ?? ""),
});
