import { replicasInput } from "@/lib/contract/catalog/listing";
import { requestIsolationCheck } from "@/lib/server/runtime/isolation";
import { restartApp, scaleApp } from "@/lib/server/runtime/scale-app";
import { route } from "@/lib/server/surface/web/route";

export const runtimeRoutes = [
  route("PUT /api/listings/[listingId]/replicas", {
    body: replicasInput,
    run: ({ platform, member, params, body }) => scaleApp(platform, member, params.listingId ?? "", body),
  }),

  route("POST /api/listings/[listingId]/restart", {
    run: ({ platform, member, params }) => restartApp(platform, member, params.listingId ?? ""),
  }),

  route("POST /api/moderation/isolation", {
    run: ({ platform, actor }) => requestIsolationCheck(platform, actor),
  }),
];
