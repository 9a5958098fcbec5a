import type { Metadata } from "next";
import { AuditTrail } from "@/components/platform/audit-trail";
import { auditFilter } from "@/lib/contract/platform/audit-view";
import { nameActor, readAuditPage } from "@/lib/server/platform/read-audit";
import { page } from "@/lib/server/surface/web/page";
import { currentZone } from "@/lib/server/surface/web/page-reads";

export const metadata: Metadata = { title: "Audit trail" };

export default page("/organization/audit", async ({ platform, member, searchParams }) => {
  const scope = { organizationId: member.organization.id };
  const filter = auditFilter.parse(searchParams);
  const { after } = searchParams;
  const [{ rows, total, ...pages }, actorName] = await Promise.all([
    readAuditPage(platform, scope, filter, after, await currentZone()),
    nameActor(platform, scope, filter),
  ]);
  return (
    <AuditTrail
      place="organization"
      organizationId={member.organization.id}
      description={`Everything that changed in ${member.organization.name}, who changed it, and when. Verification detects any later edit.`}
      filter={filter}
      rows={rows}
      total={total}
      actorName={actorName}
      pages={pages}
    />
  );
});
