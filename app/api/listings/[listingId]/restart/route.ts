import { restartApp } from "@/lib/server/runtime/scale-app";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/listings/[listingId]/restart", {
  run: ({ platform, member, params }) => restartApp(platform, member, params.listingId ?? ""),
});
