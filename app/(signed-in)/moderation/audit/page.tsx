import type { Metadata } from "next";
import { AuditTrail } from "@/components/audit/audit-trail";
import { auditFilter } from "@/lib/contract/audit-view";
import { listActors, readAuditPage } from "@/lib/server/audit/read-audit";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Audit trail · Moderation" };

export default page("/moderation/audit", async ({ platform, searchParams }) => {
  const filter = auditFilter.parse(searchParams);
  const { after } = searchParams;
  const [{ rows, next }, actors] = await Promise.all([
    readAuditPage(platform, "moderators", filter, after),
    listActors(platform, "moderators"),
  ]);
  return (
    <AuditTrail
      place="moderation"
      description="What changed on the platform, and every review and suspension of all organizations."
      filter={filter}
      rows={rows}
      actors={actors}
      next={next}
      started={after !== undefined}
    />
  );
});
