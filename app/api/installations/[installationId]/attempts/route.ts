import { Problem } from "@/lib/contract/problem";
import { listAttempts, readAttempt } from "@/lib/server/calls/read-attempts";
import { route } from "@/lib/server/web/route";

/** The newest calls. `?before=<id>`: the calls before that one. `?attempt=<id>`: one call in full. */
export const GET = route("GET /api/installations/[installationId]/attempts", {
  run: async ({ platform, member, params, request }) => {
    const query = new URL(request.url).searchParams;
    const installationId = params.installationId ?? "";
    const attemptId = query.get("attempt");
    if (attemptId === null)
      return listAttempts(platform, member, installationId, query.get("before") ?? undefined);
    const attempt = await readAttempt(platform, member, attemptId);
    if (attempt.installationId !== installationId) throw new Problem("NOT_FOUND");
    return attempt;
  },
});
