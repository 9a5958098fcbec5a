import { writeSitemapIndex } from "@/lib/server/marketplace/sitemap";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /sitemap.xml", { run: ({ platform }) => writeSitemapIndex(platform) });
