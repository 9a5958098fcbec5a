import { readLogFilter } from "@/lib/contract/insight/filters";
import { writeLogFile } from "@/lib/server/insight/logs/stream-log";
import { respondWithFile } from "@/lib/server/surface/web/responses";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** What the filter shows of the log of a version, as a text file. */
export const GET = route("GET /api/listings/[listingId]/versions/[versionId]/logs/file", {
  run: async ({ platform, member, params, request }) => {
    const { listingId = "", versionId = "" } = params;
    const filter = readLogFilter(readQuery(request));
    const { name, parts } = await writeLogFile(platform, member, { listingId, versionId }, filter);
    return respondWithFile(parts, { name, type: "text/plain; charset=utf-8" });
  },
});
