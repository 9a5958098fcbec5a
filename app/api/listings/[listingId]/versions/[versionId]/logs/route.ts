import { readLogFilter } from "@/lib/contract/insight/filters";
import { listEntries } from "@/lib/server/insight/logs/read-log";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** The log of a version. `?before=<position>`: the page before that entry. */
export const GET = route("GET /api/listings/[listingId]/versions/[versionId]/logs", {
  run: ({ platform, member, params, request }) => {
    const { before, ...query } = readQuery(request);
    const { listingId = "", versionId = "" } = params;
    return listEntries(platform, member, { listingId, versionId }, readLogFilter(query), before);
  },
});
