import { ListChecks } from "lucide-react";
import type { Metadata } from "next";
import { ModerationFrame } from "@/components/moderation/moderation-frame";
import { QueueFilters } from "@/components/moderation/queue-filters";
import { ReviewQueue } from "@/components/moderation/review-queue";
import { LiveRefresh } from "@/components/platform/live";
import { Card, EmptyState } from "@/components/ui/card";
import { FilterTabs, Pager } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import type { ReviewState } from "@/lib/contract/catalog/listing";
import { listReviews } from "@/lib/server/moderation/list-reviews";
import { page } from "@/lib/server/surface/web/page";
import { currentZone } from "@/lib/server/surface/web/page-reads";

export const metadata: Metadata = { title: "Moderation" };

const STATES = [
  ["PENDING", "In review"],
  ["APPROVED", "Approved"],
  ["CHANGES_REQUESTED", "Changes requested"],
  ["REJECTED", "Rejected"],
  ["WITHDRAWN", "Withdrawn"],
] as const satisfies [ReviewState, string][];

const SHORT = 8;

export default page("/moderation", async ({ platform, actor, searchParams }) => {
  const { state, query, reviews, counts, publishers, morePublishers, ...pages } = await listReviews(
    platform,
    actor,
    searchParams,
    await currentZone(),
  );
  const { q = "", ...filters } = query;
  const isFiltered = Object.keys(query).some((name) => name !== "state" && name !== "sort");
  // Of a few, everything is in view.
  const isLong = isFiltered || !pages.isFirst || reviews.length > SHORT;
  return (
    <ModerationFrame description="Versions and listing texts that publishers submitted.">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3 last:mb-6">
        <FilterTabs
          label="State"
          options={STATES.map(([value, text]) => ({
            href: `/moderation?${new URLSearchParams({ ...query, state: value })}`,
            text,
            count: counts[value] ?? 0,
            current: value === state,
          }))}
        />
        {isLong && <SearchForm path="/moderation" label="Search reviews" value={q} keep={filters} />}
      </div>
      {isLong && <QueueFilters query={query} publishers={publishers} morePublishers={morePublishers} />}
      {reviews.length === 0 ? (
        <Card flush>
          <EmptyState
            icon={ListChecks}
            title={state === "PENDING" && !isFiltered ? "Nothing to review" : "No matching reviews"}
          >
            {state === "PENDING" && !isFiltered
              ? "A review appears here when a publisher submits a version or a listing text."
              : "Try another state, filter, or search term."}
          </EmptyState>
        </Card>
      ) : (
        <ReviewQueue reviews={reviews} />
      )}
      <Pager
        path="/moderation"
        query={query}
        pages={pages}
        total={`${(counts[state] ?? 0).toLocaleString("en-US")} reviews`}
      />
      <LiveRefresh />
    </ModerationFrame>
  );
});
