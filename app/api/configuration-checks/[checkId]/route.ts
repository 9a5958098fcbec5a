import { cancelCheck, readCheck } from "@/lib/server/installations/request-check";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/configuration-checks/[checkId]", {
  run: ({ platform, member, params }) => readCheck(platform, member, params.checkId ?? ""),
});

export const DELETE = route("DELETE /api/configuration-checks/[checkId]", {
  run: ({ platform, member, params }) => cancelCheck(platform, member, params.checkId ?? ""),
});
