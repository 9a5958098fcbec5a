import { readMetricsFilter } from "@/lib/contract/metrics-filter";
import { readMetrics } from "@/lib/server/app-metrics/read-metrics";
import { readQuery, route } from "@/lib/server/web/route";

export const GET = route("GET /api/listings/[listingId]/metrics", {
  run: ({ platform, member, params, request }) =>
    readMetrics(platform, member, params.listingId ?? "", readMetricsFilter(readQuery(request))),
});
