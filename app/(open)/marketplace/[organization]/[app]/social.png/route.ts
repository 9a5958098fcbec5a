import { serveSocialImage } from "@/lib/server/marketplace/social-image";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /marketplace/[organization]/[app]/social.png", {
  run: ({ platform, params: { organization = "", app = "" } }) =>
    serveSocialImage(platform, organization, app),
});
