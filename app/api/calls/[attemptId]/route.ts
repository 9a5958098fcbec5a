import { readCall } from "@/lib/server/call-details/read-call";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/calls/[attemptId]", {
  run: ({ platform, member, params }) => readCall(platform, member, params.attemptId ?? ""),
});
