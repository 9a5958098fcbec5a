import { writeRobots } from "@/lib/server/marketplace/sitemap";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /robots.txt", { run: ({ platform }) => writeRobots(platform) });
