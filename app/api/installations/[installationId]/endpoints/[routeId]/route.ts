import { endpointInput } from "@/lib/contract/catalog/configuration";
import { openEndpoint } from "@/lib/server/installations/change-endpoints";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/installations/[installationId]/endpoints/[routeId]", {
  body: endpointInput,
  run: ({ platform, member, params, body }) =>
    openEndpoint(platform, member, params.installationId ?? "", params.routeId ?? "", body),
});
