import { listSections } from "@/lib/server/surface/docs";
import { route } from "@/lib/server/surface/web/route";

/** Next would make a file with this name once, while it builds. */
export const dynamic = "force-dynamic";

/** What the search dialog looks through in the browser. */
export const GET = route("GET /docs/search.json", {
  run: async ({ platform }) => {
    const headers = { "cache-control": "public, max-age=300" };
    return Response.json(await listSections(platform), { headers });
  },
});
