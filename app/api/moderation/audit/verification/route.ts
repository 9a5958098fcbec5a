import { verifyAuditStep } from "@/lib/server/audit/verify-audit";
import { readQuery, route } from "@/lib/server/web/route";
import { readPosition } from "@/lib/domain/audit-position";

/** One page of the trail after `?after=<position>`. */
export const GET = route("GET /api/moderation/audit/verification", {
  run: ({ platform, request }) =>
    verifyAuditStep(platform, "platform", readPosition(readQuery(request).after)),
});
