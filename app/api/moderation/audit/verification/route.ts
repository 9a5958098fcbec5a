import { readPosition } from "@/lib/contract/platform/audit-view";
import { verifyAuditStep } from "@/lib/server/platform/verify-audit";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** One page of the trail after `?after=<position>`. */
export const GET = route("GET /api/moderation/audit/verification", {
  run: ({ platform, request }) =>
    verifyAuditStep(platform, "platform", readPosition(readQuery(request).after)),
});
