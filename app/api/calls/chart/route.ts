import { readCallFilter } from "@/lib/contract/calls/call-filter";
import { chartCalls } from "@/lib/server/insight/call-log/chart-calls";
import { readQuery, route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/calls/chart", {
  run: ({ platform, member, request }) => chartCalls(platform, member, readCallFilter(readQuery(request))),
});
