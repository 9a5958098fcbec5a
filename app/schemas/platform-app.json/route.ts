import { manifestSchema } from "@/lib/contract/catalog/manifest";
import { route } from "@/lib/server/surface/web/route";

/** The schema with which editors complete and check `platform-app.json`. Any origin may read it. */
export const GET = route("GET /schemas/platform-app.json", {
  run: ({ platform }) => {
    const { PLATFORM_WEB_URL, PLATFORM_PERMISSIONS } = platform.environment;
    const id = new URL("/schemas/platform-app.json", PLATFORM_WEB_URL).href;
    const headers = {
      "content-type": "application/schema+json",
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
    };
    return new Response(JSON.stringify(manifestSchema(id, PLATFORM_PERMISSIONS), null, 2), { headers });
  },
});
