import { tenantConnectInput } from "@/lib/contract/platform/core";
import { disconnectTenant, editTenant } from "@/lib/server/installations/tenants/connect-tenant";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/tenants/[tenantId]", {
  body: tenantConnectInput,
  run: ({ platform, member, params, body }) => editTenant(platform, member, params.tenantId ?? "", body),
});

export const DELETE = route("DELETE /api/tenants/[tenantId]", {
  run: ({ platform, member, params }) => disconnectTenant(platform, member, params.tenantId ?? ""),
});
