import { configurationCheckInput } from "@/lib/contract/configuration-check";
import { requestCheck } from "@/lib/server/configuration-checks/request-check";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/configuration-checks", {
  body: configurationCheckInput,
  created: true,
  run: ({ platform, member, body }) => requestCheck(platform, member, body),
});
