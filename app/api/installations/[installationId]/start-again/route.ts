import { startAgain } from "@/lib/server/installations/start-again";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/installations/[installationId]/start-again", {
  run: ({ platform, member, params }) => startAgain(platform, member, params.installationId ?? ""),
});
