import { tenantConnectInput } from "@/lib/contract/core";
import { editTenant } from "@/lib/server/tenants/edit-tenant";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/tenants/[tenantId]", {
  body: tenantConnectInput,
  run: ({ platform, member, params, body }) => editTenant(platform, member, params.tenantId ?? "", body),
});
