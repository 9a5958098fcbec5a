import { readPosition } from "@/lib/contract/platform/audit-view";
import { verifyAuditStep } from "@/lib/server/platform/verify-audit";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** One page of the trail after `?after=<position>`. */
export const GET = route("GET /api/organization/audit/verification", {
  run: ({ platform, member, request }) =>
    verifyAuditStep(platform, member.organization.id, readPosition(readQuery(request).after)),
});
