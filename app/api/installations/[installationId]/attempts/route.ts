import { attemptFilter } from "@/lib/contract/installation";
import { Problem } from "@/lib/contract/problem";
import { listAttempts, readAttempt, readDelivery } from "@/lib/server/calls/read-attempts";
import { route } from "@/lib/server/web/route";

/**
 * The newest calls. `?before=<id>`: the calls before that one. `?kind=` and `?result=` filter. `?attempt=<id>`: one call in
 * full. `?delivery=<id>`: one delivery with its attempts.
 */
export const GET = route("GET /api/installations/[installationId]/attempts", {
  run: async ({ platform, member, params, request }) => {
    const {
      attempt: attemptId,
      delivery,
      before,
      ...rest
    } = Object.fromEntries(new URL(request.url).searchParams);
    const installationId = params.installationId ?? "";
    if (delivery !== undefined) return readDelivery(platform, member, installationId, delivery);
    if (attemptId === undefined)
      return listAttempts(platform, member, installationId, { before, ...attemptFilter.parse(rest) });
    const attempt = await readAttempt(platform, member, attemptId);
    if (attempt.installationId !== installationId) throw new Problem("NOT_FOUND");
    return attempt;
  },
});
