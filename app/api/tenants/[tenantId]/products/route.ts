import { refreshProducts } from "@/lib/server/tenants/refresh-products";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/tenants/[tenantId]/products", {
  run: ({ platform, member, params }) => refreshProducts(platform, member, params.tenantId ?? ""),
});
