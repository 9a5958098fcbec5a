import { listSentCalls } from "@/lib/server/call-details/list-sent-calls";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/installations/[installationId]/sent-calls", {
  run: ({ platform, member, params }) => listSentCalls(platform, member, params.installationId ?? ""),
});
