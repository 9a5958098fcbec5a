import { readState } from "@/lib/server/calls/read-state";
import { route } from "@/lib/server/surface/web/route";

/** The state API in Next. The gateway serves the same function many times faster. */
export const GET = route("GET /state/[key]", {
  run: ({ platform, params }) => readState(platform, params.key ?? ""),
});
