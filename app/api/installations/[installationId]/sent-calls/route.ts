import { listSentCalls } from "@/lib/server/insight/call-log/read-call";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/installations/[installationId]/sent-calls", {
  run: ({ platform, member, params }) => listSentCalls(platform, member, params.installationId ?? ""),
});
