import { startInstallation } from "@/lib/server/installations/command-installation";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/installations/[installationId]/start", {
  run: ({ platform, member, params }) => startInstallation(platform, member, params.installationId ?? ""),
});
