import { auditFilter, exportFormat } from "@/lib/contract/platform/audit-view";
import { EXPORT_TYPES, exportAudit, writeExport } from "@/lib/server/platform/read-audit";
import { respondWithFile } from "@/lib/server/surface/web/responses";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** What the filters show, as a file. `?format=csv` or `jsonl`. */
export const GET = route("GET /api/organization/audit/export", {
  run: ({ platform, member, request }) => {
    const { format: named, ...filter } = readQuery(request);
    const format = exportFormat.parse(named);
    const pages = exportAudit(
      platform,
      { organizationId: member.organization.id },
      auditFilter.parse(filter),
    );
    const head = { name: `audit-trail.${format}`, type: EXPORT_TYPES[format] };
    return respondWithFile(writeExport(pages, format), head);
  },
});
