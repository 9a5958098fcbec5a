import { auditFilter, exportFormat } from "@/lib/contract/audit-view";
import { exportAudit } from "@/lib/server/audit/read-audit";
import { respondWithExport } from "@/lib/server/audit/write-export";
import { readQuery, route } from "@/lib/server/web/route";

/** What the filters show, as a file. `?format=csv` or `jsonl`. */
export const GET = route("GET /api/organization/audit/export", {
  run: ({ platform, member, request }) => {
    const { format, ...filter } = readQuery(request);
    const pages = exportAudit(
      platform,
      { organizationId: member.organization.id },
      auditFilter.parse(filter),
    );
    return respondWithExport(pages, exportFormat.parse(format), "audit-trail");
  },
});
