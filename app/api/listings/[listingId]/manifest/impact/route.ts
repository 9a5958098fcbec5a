import { toPublisher } from "@/lib/domain/platform/actor";
import { measureImpact } from "@/lib/server/catalog/publish/measure-impact";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/listings/[listingId]/manifest/impact", {
  run: ({ platform, member, params }) => measureImpact(platform, toPublisher(member), params.listingId ?? ""),
});
