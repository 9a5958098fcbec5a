import { readCall } from "@/lib/server/insight/call-log/read-call";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/calls/[attemptId]", {
  run: ({ platform, member, params }) => readCall(platform, member, params.attemptId ?? ""),
});
