import { tenantConnectInput } from "@/lib/contract/core";
import { connectTenant } from "@/lib/server/tenants/connect-tenant";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/tenants", {
  body: tenantConnectInput,
  created: true,
  run: ({ platform, member, body }) => connectTenant(platform, member, body),
});
