import { readCallFilter } from "@/lib/contract/calls/call-filter";
import { streamCalls } from "@/lib/server/insight/call-log/list-calls";
import { readFollowing, respondWithEvents } from "@/lib/server/surface/web/responses";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** Server-sent events. `?after=<position>`, or the browser's `Last-Event-ID` when it reconnects: where to go on. */
export const GET = route("GET /api/calls/stream", {
  run: async ({ platform, member, request }) => {
    const { after, ...query } = readQuery(request);
    const following = readFollowing(request, after);
    const filter = readCallFilter(query);
    return respondWithEvents(await streamCalls(platform, member, { filter, ...following }));
  },
});
