import { testTenant } from "@/lib/server/installations/tenants/test-connection";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/tenants/[tenantId]/connection", {
  run: ({ platform, member, params }) => testTenant(platform, member, params.tenantId ?? ""),
});
