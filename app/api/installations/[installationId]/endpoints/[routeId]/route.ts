import { endpointInput } from "@/lib/contract/installation";
import { openEndpoint } from "@/lib/server/endpoints/open-endpoint";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/installations/[installationId]/endpoints/[routeId]", {
  body: endpointInput,
  run: ({ platform, member, params, body }) =>
    openEndpoint(platform, member, params.installationId ?? "", params.routeId ?? "", body),
});
