import { readDelivery } from "@/lib/server/calls/read-attempts";
import { readQuery, route } from "@/lib/server/web/route";

/** `?delivery=<id>`: one delivery with its attempts. */
export const GET = route("GET /api/installations/[installationId]/attempts", {
  run: ({ platform, member, params, request }) =>
    readDelivery(platform, member, params.installationId ?? "", readQuery(request).delivery ?? ""),
});
