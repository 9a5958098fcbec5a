import { replaceRouteBase } from "@/lib/server/installations/change-endpoints";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/installations/[installationId]/route-base", {
  run: ({ platform, member, params }) => replaceRouteBase(platform, member, params.installationId ?? ""),
});
