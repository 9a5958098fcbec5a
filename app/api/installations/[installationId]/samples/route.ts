import { readProductSamples } from "@/lib/server/installations/read-installation";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/installations/[installationId]/samples", {
  run: ({ platform, member, params }) => readProductSamples(platform, member, params.installationId ?? ""),
});
