import { refreshProducts } from "@/lib/server/installations/tenants/test-connection";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/tenants/[tenantId]/products", {
  run: ({ platform, member, params }) => refreshProducts(platform, member, params.tenantId ?? ""),
});
