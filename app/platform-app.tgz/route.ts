import { servePackage } from "@/lib/server/surface/web/responses";
import { route } from "@/lib/server/surface/web/route";

/** The command line, for `npm install --global <this URL>`. */
export const GET = route("GET /platform-app.tgz", { run: ({ platform }) => servePackage(platform) });
