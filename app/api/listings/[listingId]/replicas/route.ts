import { replicasInput } from "@/lib/contract/catalog/listing";
import { scaleApp } from "@/lib/server/runtime/scale-app";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/listings/[listingId]/replicas", {
  body: replicasInput,
  run: ({ platform, member, params, body }) =>
    scaleApp(platform, member, params.listingId ?? "", body.replicas),
});
