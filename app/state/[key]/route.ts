import { readState } from "@/lib/server/state/read-state";
import { route } from "@/lib/server/web/route";

/** The state API as Next serves it; the gateway answers the same from the same function, many times faster. */
export const GET = route("GET /state/[key]", {
  run: ({ platform, params }) => readState(platform, params.key ?? ""),
});
