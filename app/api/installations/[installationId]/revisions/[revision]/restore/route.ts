import { restoreInput } from "@/lib/contract/catalog/configuration";
import { restoreConfiguration } from "@/lib/server/installations/save-configuration";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/installations/[installationId]/revisions/[revision]/restore", {
  body: restoreInput,
  run: ({ platform, member, params, body }) =>
    restoreConfiguration(platform, member, params.installationId ?? "", params.revision ?? "", body),
});
