import { serveImage } from "@/lib/server/images/serve-image";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /images/[file]", {
  run: ({ platform, params }) => serveImage(platform, params.file ?? ""),
});
