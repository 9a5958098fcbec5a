import { serveState } from "@/lib/server/calls/serve-state";
import { route } from "@/lib/server/surface/web/route";

/** The state API in Next. The gateway serves the same function many times faster. */
export const GET = route("GET /state/[key]", {
  run: async ({ platform, params }) => {
    const headers = { "content-type": "application/json", "cache-control": "no-store" };
    return new Response(await serveState(platform, params.key ?? ""), { headers });
  },
});
