import { replayRequest } from "@/lib/contract/replay";
import { replayCalls } from "@/lib/server/call-log/replay-calls";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/deliveries/replay", {
  body: replayRequest,
  run: ({ platform, member, body }) => replayCalls(platform, member, body),
});
