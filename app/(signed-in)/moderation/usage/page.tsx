import { Gauge } from "lucide-react";
import type { Metadata } from "next";
import { ModerationFrame } from "@/components/moderation/moderation-frame";
import { UsageTable } from "@/components/insight/usage-table";
import { Card, EmptyState } from "@/components/ui/card";
import { FilterTabs, Pager } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import { listUsage } from "@/lib/server/insight/health/read-usage";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Usage · Moderation" };

const PATH = "/moderation/usage";
const ORDERS = [
  ["apps", "Memory and CPU"],
  ["storage", "Storage"],
] as const;

export default page("/moderation/usage", async ({ platform, searchParams }) => {
  const { q = "", after } = searchParams;
  const { by, organizations, total, ...pages } = await listUsage(platform, {
    by: searchParams.by,
    search: q,
    after,
  });
  const query = { by, ...(q === "" ? {} : { q }) };
  return (
    <ModerationFrame description="Resources used by the apps and images that each organization publishes, largest first.">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <FilterTabs
          label="Order"
          options={ORDERS.map(([value, text]) => ({
            href: `${PATH}?${new URLSearchParams({ ...query, by: value })}`,
            text,
            current: value === by,
          }))}
        />
        <SearchForm path={PATH} label="Search organizations" value={q} keep={{ by }} />
      </div>
      {!pages.isFirst && (
        <p className="mb-3 text-small text-ink-soft">
          Usage changes all the time. An organization that moved between two pages may be missing here or
          appear twice: search for its name.
        </p>
      )}
      <Card flush>
        {organizations.length === 0 ? (
          <EmptyState icon={Gauge} title="No matching organizations">
            Try another search term.
          </EmptyState>
        ) : (
          <UsageTable organizations={organizations} />
        )}
      </Card>
      <Pager
        path={PATH}
        query={query}
        pages={pages}
        total={`${total.toLocaleString("en-US")} organizations`}
      />
    </ModerationFrame>
  );
});
