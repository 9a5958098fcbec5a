import { replayRequest } from "@/lib/contract/calls/gateway-answers";
import { replayCalls } from "@/lib/server/insight/call-log/replay-calls";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/deliveries/replay", {
  body: replayRequest,
  run: ({ platform, member, body }) => replayCalls(platform, member, body),
});
