import { renewCoreCredential } from "@/lib/server/tenants/renew-core-credential";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/tenants/[tenantId]/core-credential", {
  run: ({ platform, member, params }) => renewCoreCredential(platform, member, params.tenantId ?? ""),
});
