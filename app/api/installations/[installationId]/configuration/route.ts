import { configurationInput } from "@/lib/contract/catalog/configuration";
import { readConfiguration } from "@/lib/server/installations/read-configuration";
import { reconfigureInstallation } from "@/lib/server/installations/save-configuration";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/installations/[installationId]/configuration", {
  run: ({ platform, member, params }) => readConfiguration(platform, member, params.installationId ?? ""),
});

export const PUT = route("PUT /api/installations/[installationId]/configuration", {
  body: configurationInput,
  run: ({ platform, member, params, body }) =>
    reconfigureInstallation(platform, member, params.installationId ?? "", body),
});
