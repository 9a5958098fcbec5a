import { readLogFilter } from "@/lib/contract/insight/filters";
import { streamEntries } from "@/lib/server/insight/logs/stream-log";
import { readFollowing, respondWithEvents } from "@/lib/server/surface/web/responses";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** Server-sent events. `?after=<position>`, or the browser's `Last-Event-ID` when it reconnects: where to go on. */
export const GET = route("GET /api/listings/[listingId]/versions/[versionId]/logs/stream", {
  run: async ({ platform, member, params, request }) => {
    const { after, ...query } = readQuery(request);
    const { listingId = "", versionId = "" } = params;
    const following = readFollowing(request, after);
    const subject = { listingId, versionId };
    return respondWithEvents(await streamEntries(platform, member, subject, readLogFilter(query), following));
  },
});
