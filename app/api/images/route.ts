import { receiveImage } from "@/lib/server/catalog/pictures";
import { route } from "@/lib/server/surface/web/route";

/** The body is the picture itself. */
export const POST = route("POST /api/images", {
  created: true,
  run: ({ platform, member, request }) => receiveImage(platform, member, request),
});
