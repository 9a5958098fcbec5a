import { tenantConnectInput } from "@/lib/contract/core";
import { disconnectTenant } from "@/lib/server/tenants/disconnect-tenant";
import { editTenant } from "@/lib/server/tenants/edit-tenant";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/tenants/[tenantId]", {
  body: tenantConnectInput,
  run: ({ platform, member, params, body }) => editTenant(platform, member, params.tenantId ?? "", body),
});

export const DELETE = route("DELETE /api/tenants/[tenantId]", {
  run: ({ platform, member, params }) => disconnectTenant(platform, member, params.tenantId ?? ""),
});
