import { serveSocialImage } from "@/lib/server/catalog/social-image";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /marketplace/[organization]/[app]/social.png", {
  run: ({ platform, params: { organization = "", app = "" } }) =>
    serveSocialImage(platform, organization, app),
});
