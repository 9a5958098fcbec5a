import { readProductSamples } from "@/lib/server/installations/read-product-samples";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/installations/[installationId]/samples", {
  run: ({ platform, member, params }) => readProductSamples(platform, member, params.installationId ?? ""),
});
