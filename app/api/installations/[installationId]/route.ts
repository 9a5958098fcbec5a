import { readInstallation } from "@/lib/server/installations/read-installation";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/installations/[installationId]", {
  run: ({ platform, member, params }) => readInstallation(platform, member, params.installationId ?? ""),
});
