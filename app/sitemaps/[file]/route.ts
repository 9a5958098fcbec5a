import { writeSitemap } from "@/lib/server/catalog/sitemap";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /sitemaps/[file]", {
  run: ({ platform, params: { file = "" } }) => writeSitemap(platform, file),
});
