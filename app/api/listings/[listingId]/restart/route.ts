import { restartApp } from "@/lib/server/instances/scale-app";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/listings/[listingId]/restart", {
  run: ({ platform, member, params }) => restartApp(platform, member, params.listingId ?? ""),
});
