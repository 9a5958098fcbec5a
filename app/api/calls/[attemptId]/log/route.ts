import { requestExcerpt } from "@/lib/server/insight/call-log/read-call";
import { route } from "@/lib/server/surface/web/route";

/** Asks for the log of the call's moment. The call has it a moment later. */
export const POST = route("POST /api/calls/[attemptId]/log", {
  run: ({ platform, member, params }) => requestExcerpt(platform, member, params.attemptId ?? ""),
});
