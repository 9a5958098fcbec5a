import { startAgain } from "@/lib/server/installations/command-installation";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/installations/[installationId]/start-again", {
  run: ({ platform, member, params }) => startAgain(platform, member, params.installationId ?? ""),
});
