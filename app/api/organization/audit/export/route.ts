import { auditFilter, exportFormat } from "@/lib/contract/audit-view";
import { exportAudit } from "@/lib/server/audit/read-audit";
import { EXPORT_TYPES, writeExport } from "@/lib/server/audit/write-export";
import { respondWithFile } from "@/lib/server/web/file-stream";
import { readQuery, route } from "@/lib/server/web/route";

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
