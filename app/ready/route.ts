import { respondWithHealth } from "@/lib/server/surface/web/responses";
import { route } from "@/lib/server/surface/web/route";

/** Next would answer once, while it builds. */
export const dynamic = "force-dynamic";

/** This process can serve pages. */
export const GET = route("GET /ready", {
  withoutSession: true,
  run: ({ platform }) => respondWithHealth(platform),
});
