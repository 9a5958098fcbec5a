import { revokeCoreCredential } from "@/lib/server/installations/tenants/credentials";
import { route } from "@/lib/server/surface/web/route";

export const DELETE = route("DELETE /api/tenants/[tenantId]/core-credentials/[credentialId]", {
  run: ({ platform, member, params }) =>
    revokeCoreCredential(platform, member, params.tenantId ?? "", params.credentialId ?? ""),
});
