import { restoreInput } from "@/lib/contract/installation";
import { restoreConfiguration } from "@/lib/server/installations/configure/restore-configuration";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/installations/[installationId]/revisions/[revision]/restore", {
  body: restoreInput,
  run: ({ platform, member, params, body }) =>
    restoreConfiguration(platform, member, params.installationId ?? "", params.revision ?? "", body),
});
