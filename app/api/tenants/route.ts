import { tenantConnectInput } from "@/lib/contract/platform/core";
import { connectTenant } from "@/lib/server/installations/tenants/connect-tenant";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/tenants", {
  body: tenantConnectInput,
  created: true,
  run: ({ platform, member, body }) => connectTenant(platform, member, body),
});
