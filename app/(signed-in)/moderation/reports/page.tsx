import { Flag } from "lucide-react";
import type { Metadata } from "next";
import { ModerationFrame } from "@/components/moderation/moderation-frame";
import { ReportList } from "@/components/moderation/reports";
import { Card, EmptyState } from "@/components/ui/card";
import { FilterTabs, Pager } from "@/components/ui/page-header";
import { listReports } from "@/lib/server/moderation/report-listing";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Reports · Moderation" };

const PATH = "/moderation/reports";

export default page("/moderation/reports", async ({ platform, searchParams }) => {
  const { isOpen, open, handled, reports, ...pages } = await listReports(platform, searchParams);
  return (
    <ModerationFrame description="Problems with listings that people reported. Open a listing to suspend it.">
      <div className="mb-4">
        <FilterTabs
          label="State"
          options={[
            { href: PATH, text: "Open", count: open, current: isOpen },
            { href: `${PATH}?state=handled`, text: "Handled", count: handled, current: !isOpen },
          ]}
        />
      </div>
      {reports.length === 0 ? (
        <Card flush>
          <EmptyState icon={Flag} title={isOpen ? "No open reports" : "No handled reports"}>
            {isOpen
              ? "A report appears here when someone reports a problem on a listing's page."
              : "A report appears here once a moderator marks it as handled."}
          </EmptyState>
        </Card>
      ) : (
        <ReportList reports={reports} />
      )}
      <Pager
        path={PATH}
        query={isOpen ? {} : { state: "handled" }}
        pages={pages}
        total={`${(isOpen ? open : handled).toLocaleString("en-US")} reports`}
      />
    </ModerationFrame>
  );
});
