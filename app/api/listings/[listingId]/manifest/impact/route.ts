import { measureImpact } from "@/lib/server/manifest-drafts/measure-impact";
import { publisherOf } from "@/lib/server/versions/publisher";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/listings/[listingId]/manifest/impact", {
  run: ({ platform, member, params }) => measureImpact(platform, publisherOf(member), params.listingId ?? ""),
});
