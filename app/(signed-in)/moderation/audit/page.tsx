import type { Metadata } from "next";
import { ModerationFrame } from "@/components/moderation/moderation-frame";
import { AuditExports, AuditTrail } from "@/components/platform/audit-trail";
import { auditFilter } from "@/lib/contract/platform/audit-view";
import { nameActor, readAuditPage } from "@/lib/server/platform/read-audit";
import { page } from "@/lib/server/surface/web/page";
import { currentZone } from "@/lib/server/surface/web/page-reads";

export const metadata: Metadata = { title: "Audit trail · Moderation" };

export default page("/moderation/audit", async ({ platform, searchParams }) => {
  const filter = auditFilter.parse(searchParams);
  const { after } = searchParams;
  const [{ rows, total, ...pages }, actorName] = await Promise.all([
    readAuditPage(platform, "moderators", filter, after, await currentZone()),
    nameActor(platform, "moderators", filter),
  ]);
  return (
    <ModerationFrame
      description="What changed on the platform, and every review and suspension of all organizations."
      actions={<AuditExports place="moderation" filter={filter} />}
    >
      <AuditTrail
        place="moderation"
        filter={filter}
        rows={rows}
        total={total}
        actorName={actorName}
        pages={pages}
      />
    </ModerationFrame>
  );
});
