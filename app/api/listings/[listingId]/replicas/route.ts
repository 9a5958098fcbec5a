import { replicasInput } from "@/lib/contract/replicas";
import { scaleApp } from "@/lib/server/instances/scale-app";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/listings/[listingId]/replicas", {
  body: replicasInput,
  run: ({ platform, member, params, body }) =>
    scaleApp(platform, member, params.listingId ?? "", body.replicas),
});
