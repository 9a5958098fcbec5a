import { readMetricsFilter } from "@/lib/contract/insight/filters";
import { readMetrics } from "@/lib/server/insight/health/read-metrics";
import { readQuery, route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/listings/[listingId]/metrics", {
  run: ({ platform, member, params, request }) =>
    readMetrics(platform, member, params.listingId ?? "", readMetricsFilter(readQuery(request))),
});
