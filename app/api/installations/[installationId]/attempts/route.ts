import { Problem } from "@/lib/contract/problem";
import { readAttempt, readDelivery } from "@/lib/server/calls/read-attempts";
import { readQuery, route } from "@/lib/server/web/route";

/** `?attempt=<id>`: one call in full. `?delivery=<id>`: one delivery with its attempts. */
export const GET = route("GET /api/installations/[installationId]/attempts", {
  run: async ({ platform, member, params, request }) => {
    const { attempt: attemptId = "", delivery } = readQuery(request);
    const installationId = params.installationId ?? "";
    if (delivery !== undefined) return readDelivery(platform, member, installationId, delivery);
    const attempt = await readAttempt(platform, member, attemptId);
    if (attempt.installationId !== installationId) throw new Problem("NOT_FOUND");
    return attempt;
  },
});
