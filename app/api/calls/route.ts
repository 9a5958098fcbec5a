import { readCallFilter } from "@/lib/contract/calls/call-filter";
import { listCalls } from "@/lib/server/insight/call-log/list-calls";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** Calls of the organization, newest first. `?before=<id>`: the page after that call. */
export const GET = route("GET /api/calls", {
  run: ({ platform, member, request }) => {
    const { before, ...query } = readQuery(request);
    return listCalls(platform, member, readCallFilter(query), before);
  },
});
