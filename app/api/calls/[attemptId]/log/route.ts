import { requestExcerpt } from "@/lib/server/log-excerpts/request-excerpt";
import { route } from "@/lib/server/web/route";

/** Asks for the log of the call's moment. The call has it a moment later. */
export const POST = route("POST /api/calls/[attemptId]/log", {
  run: ({ platform, member, params }) => requestExcerpt(platform, member, params.attemptId ?? ""),
});
