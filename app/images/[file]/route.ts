import { serveImage } from "@/lib/server/catalog/pictures";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /images/[file]", {
  run: ({ platform, params }) => serveImage(platform, params.file ?? ""),
});
