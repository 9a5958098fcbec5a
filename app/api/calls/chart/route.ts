import { callFilter } from "@/lib/contract/call-log";
import { chartCalls } from "@/lib/server/call-log/chart-calls";
import { readQuery, route } from "@/lib/server/web/route";

export const GET = route("GET /api/calls/chart", {
  run: ({ platform, member, request }) => chartCalls(platform, member, callFilter.parse(readQuery(request))),
});
