import { configurationCheckInput } from "@/lib/contract/catalog/configuration";
import { requestCheck } from "@/lib/server/installations/request-check";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/configuration-checks", {
  body: configurationCheckInput,
  created: true,
  run: ({ platform, member, body }) => requestCheck(platform, member, body),
});
