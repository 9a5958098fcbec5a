import { readDelivery } from "@/lib/server/call-details/read-delivery";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/deliveries/[deliveryId]", {
  run: ({ platform, member, params }) => readDelivery(platform, member, params.deliveryId ?? ""),
});
