import { uninstallInstallation } from "@/lib/server/installations/command-installation";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/installations/[installationId]/uninstall", {
  run: ({ platform, member, params }) => uninstallInstallation(platform, member, params.installationId ?? ""),
});
