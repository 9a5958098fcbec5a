import { readCallFilter } from "@/lib/contract/call-filter";
import { Problem } from "@/lib/contract/problem";
import { openStream } from "@/lib/server/call-log/open-stream";
import { respondWithEvents } from "@/lib/server/web/event-stream";
import { readQuery, route } from "@/lib/server/web/route";

/** Server-sent events. `?after=<position>`, or the browser's `Last-Event-ID` when it reconnects: where to go on. */
export const GET = route("GET /api/calls/stream", {
  run: async ({ platform, member, request }) => {
    if (request.headers.get("accept") !== "text/event-stream")
      throw new Problem("BAD_INPUT", "This address only streams events. Send 'Accept: text/event-stream'.");
    const { after, ...query } = readQuery(request);
    const events = await openStream(platform, member, {
      filter: readCallFilter(query),
      after: request.headers.get("last-event-id") ?? after,
      signal: request.signal,
    });
    return respondWithEvents(events);
  },
});
