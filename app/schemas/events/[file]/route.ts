import { catalogSchema, findCatalogEvent } from "@/lib/contract/calls/event-catalog";
import { Problem } from "@/lib/contract/platform/problem";
import { route } from "@/lib/server/surface/web/route";

/** The JSON Schema of an event, such as `/schemas/events/policy.issued.json`. Any origin may read it. */
export const GET = route("GET /schemas/events/[file]", {
  run: ({ platform, params: { file = "" } }) => {
    const event = file.endsWith(".json") ? findCatalogEvent(file.slice(0, -".json".length)) : undefined;
    if (event === undefined)
      throw new Problem("NOT_FOUND", "The catalog doesn't have this event. See /docs/events for all events.");
    const id = new URL(`/schemas/events/${event.type}.json`, platform.environment.PLATFORM_WEB_URL).href;
    const headers = {
      "content-type": "application/schema+json",
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
    };
    return new Response(JSON.stringify(catalogSchema(event, id), null, 2), { headers });
  },
});
