import { writeRobots } from "@/lib/server/catalog/sitemap";
import { route } from "@/lib/server/surface/web/route";

/** Next would make a file with this name once, while it builds. */
export const dynamic = "force-dynamic";

export const GET = route("GET /robots.txt", { run: ({ platform }) => writeRobots(platform) });
