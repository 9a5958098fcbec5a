import { readApiDescription } from "@/lib/server/surface/api/all-routes";
import { route } from "@/lib/server/surface/web/route";

/** The description of the gateway's API. Any origin may read it. */
export const GET = route("GET /openapi.json", {
  run: ({ platform }) => {
    const headers = {
      "content-type": "application/json",
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
    };
    return new Response(readApiDescription(platform.environment), { headers });
  },
});
