import { testTenant } from "@/lib/server/tenants/test-connection";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/tenants/[tenantId]/connection", {
  run: ({ platform, member, params }) => testTenant(platform, member, params.tenantId ?? ""),
});
