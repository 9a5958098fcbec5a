import { ListChecks } from "lucide-react";
import type { Metadata } from "next";
import { StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterTabs, Pager, SearchForm } from "@/components/ui/list-controls";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import type { ReviewState } from "@/lib/contract/listing";
import { listReviews } from "@/lib/server/reviews/list-reviews";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Moderation" };

const FILTERS: [ReviewState, string][] = [
  ["PENDING", "In review"],
  ["APPROVED", "Approved"],
  ["CHANGES_REQUESTED", "Changes requested"],
  ["REJECTED", "Rejected"],
];

export default page("/moderation", async ({ platform, actor, searchParams }) => {
  const { q = "", after } = searchParams;
  const { state, reviews, next } = await listReviews(platform, actor, searchParams);
  const query = { state, ...(q === "" ? {} : { q }) };
  return (
    <>
      <PageHeader title="Moderation" description="Versions that publishers submitted, oldest first." />
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <FilterTabs
          label="State"
          options={FILTERS.map(([filter, text]) => ({
            href: `/moderation?${new URLSearchParams({ ...query, state: filter })}`,
            text,
            current: filter === state,
          }))}
        />
        <SearchForm path="/moderation" label="Search reviews" value={q} keep={{ state }} />
      </div>
      <Card flush>
        {reviews.length === 0 ? (
          <EmptyState
            icon={ListChecks}
            title={state === "PENDING" && q === "" ? "Nothing to review" : "No matching reviews"}
          >
            {state === "PENDING"
              ? "A review appears here when a publisher submits a version."
              : "Try another state or search term."}
          </EmptyState>
        ) : (
          <Table label="Reviews">
            <TableHead columns={["App", "Version", "Publisher", "Submitted", "State"]} />
            <TableBody>
              {reviews.map((review) => (
                <TableRow key={review.id}>
                  <TableCell className="min-w-48">
                    <TextLink href={`/moderation/${review.id}`} standalone className="font-medium">
                      {review.title}
                    </TextLink>
                    <span className="block font-mono text-[13px] text-ink-faint">
                      {review.organizationSlug}/{review.appName}
                    </span>
                  </TableCell>
                  <TableCell label="Version" className="tabular-nums">
                    {review.versionNumber}
                  </TableCell>
                  <TableCell label="Publisher" className="text-ink-soft">
                    {review.organizationName}
                  </TableCell>
                  <TableCell label="Submitted" className="whitespace-nowrap text-ink-soft">
                    <RelativeTime at={review.createdAt} />
                  </TableCell>
                  <TableCell>
                    <StateBadge state={review.state} />
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        )}
      </Card>
      <Pager path="/moderation" query={query} next={next} started={after !== undefined} />
    </>
  );
});
