import { revokeCoreCredential } from "@/lib/server/tenants/rotate-core-credential";
import { route } from "@/lib/server/web/route";

export const DELETE = route("DELETE /api/tenants/[tenantId]/core-credentials/[credentialId]", {
  run: ({ platform, member, params }) =>
    revokeCoreCredential(platform, member, params.tenantId ?? "", params.credentialId ?? ""),
});
