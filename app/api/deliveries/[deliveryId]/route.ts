import { readDelivery } from "@/lib/server/insight/call-log/read-call";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/deliveries/[deliveryId]", {
  run: ({ platform, member, params }) => readDelivery(platform, member, params.deliveryId ?? ""),
});
