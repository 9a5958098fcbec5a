import { servePackage } from "@/lib/server/command-line/serve-package";
import { route } from "@/lib/server/web/route";

/** The command line, for `npm install --global <this URL>`. */
export const GET = route("GET /platform-app.tgz", { run: servePackage });
