import { receiveImage } from "@/lib/server/images/receive-image";
import { route } from "@/lib/server/web/route";

/** The body is the picture itself. */
export const POST = route("POST /api/images", {
  created: true,
  run: ({ platform, member, request }) => receiveImage(platform, member, request),
});
