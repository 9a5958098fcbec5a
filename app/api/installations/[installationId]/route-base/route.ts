import { replaceRouteBase } from "@/lib/server/endpoints/replace-route-base";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/installations/[installationId]/route-base", {
  run: ({ platform, member, params }) => replaceRouteBase(platform, member, params.installationId ?? ""),
});
