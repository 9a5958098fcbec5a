import { writeRobots } from "@/lib/server/marketplace/sitemap";
import { route } from "@/lib/server/web/route";

/** Next would make a file with this name once, while it builds. */
export const dynamic = "force-dynamic";

export const GET = route("GET /robots.txt", { run: ({ platform }) => writeRobots(platform) });
