import { readCallFilter } from "@/lib/contract/call-filter";
import { listCalls } from "@/lib/server/call-log/list-calls";
import { readQuery, route } from "@/lib/server/web/route";

/** Calls of the organization, newest first. `?before=<id>`: the page after that call. */
export const GET = route("GET /api/calls", {
  run: ({ platform, member, request }) => {
    const { before, ...query } = readQuery(request);
    return listCalls(platform, member, readCallFilter(query), before);
  },
});
