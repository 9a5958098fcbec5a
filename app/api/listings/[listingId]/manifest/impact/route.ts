import { measureImpact } from "@/lib/server/manifest-drafts/measure-impact";
import { toPublisher } from "@/lib/domain/actor";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/listings/[listingId]/manifest/impact", {
  run: ({ platform, member, params }) => measureImpact(platform, toPublisher(member), params.listingId ?? ""),
});
