import { verifyAuditStep } from "@/lib/server/audit/verify-audit";
import { readQuery, route } from "@/lib/server/web/route";
import { readPosition } from "@/lib/domain/audit-position";

/** One page of the trail after `?after=<position>`. */
export const GET = route("GET /api/organization/audit/verification", {
  run: ({ platform, member, request }) =>
    verifyAuditStep(platform, member.organization.id, readPosition(readQuery(request).after)),
});
