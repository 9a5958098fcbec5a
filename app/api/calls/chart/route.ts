import { readCallFilter } from "@/lib/contract/call-filter";
import { chartCalls } from "@/lib/server/call-log/chart-calls";
import { readQuery, route } from "@/lib/server/web/route";

export const GET = route("GET /api/calls/chart", {
  run: ({ platform, member, request }) => chartCalls(platform, member, readCallFilter(readQuery(request))),
});
