import { writeSitemap } from "@/lib/server/marketplace/sitemap";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /sitemaps/[file]", {
  run: ({ platform, params: { file = "" } }) => writeSitemap(platform, file),
});
