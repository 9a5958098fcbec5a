import { Users } from "lucide-react";
import { CustomersTable } from "@/components/insight/app-use";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { FilterTabs, Pager } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import { type CustomerSort, readCustomers } from "@/lib/server/surface/read-own-listing";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentOwnApp, nameOwnApp } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled("/publish/[app]/customers", "Listings", ({ params }) =>
  nameOwnApp(params.app, "Customers"),
);

const SORTS: readonly { sort: CustomerSort; text: string }[] = [
  { sort: "newest", text: "Newest" },
  { sort: "oldest", text: "Oldest" },
  { sort: "failed", text: "Most failures" },
  { sort: "calls", text: "Most calls" },
  { sort: "version", text: "Version" },
];

export default page("/publish/[app]/customers", async ({ platform, params, searchParams }) => {
  const { listing } = await currentOwnApp(params.app ?? "");
  const { rows, total, pages, sort, search, customers } = await readCustomers(
    platform,
    listing,
    searchParams,
  );
  const path = `/publish/${listing.appName}/customers`;
  const query = { ...(search === "" ? {} : { q: search }), ...(sort === "newest" ? {} : { sort }) };
  if (customers.installations === 0)
    return (
      <Card flush>
        <EmptyState icon={Users} title="No customers yet">
          Installations of other organizations appear here, with their version, state, and calls. Your own
          installations, those of organizations that have a member in common with yours, and Test Launches
          don&apos;t count.
        </EmptyState>
      </Card>
    );
  return (
    <div className="flex flex-col gap-4">
      <p className="text-small leading-5 text-ink-soft">
        {describeTotal(customers)}. Customer names are hidden. A customer who contacts you can give you the
        installation ID.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <SearchForm
          path={path}
          label="Search by ID or version"
          value={search}
          keep={sort === "newest" ? {} : { sort }}
        />
        <FilterTabs
          label="Sort by"
          options={SORTS.map((option) => ({
            href: `${path}?${new URLSearchParams({ ...query, sort: option.sort })}`,
            text: option.text,
            current: option.sort === sort,
          }))}
        />
      </div>
      <Card flush>
        {rows.length === 0 ? (
          <EmptyState
            icon={Users}
            title="No matches"
            action={<LinkButton href={path}>Show all</LinkButton>}
          />
        ) : (
          <CustomersTable customers={rows} />
        )}
      </Card>
      {search !== "" && total > 0 && (
        <p className="text-small text-ink-faint">{total === 1 ? "1 matches" : `${total} match`}</p>
      )}
      <Pager path={path} query={query} pages={pages} />
    </div>
  );
});

function describeTotal({ installations, organizations }: { installations: number; organizations: number }) {
  const installed =
    installations === 1 ? "1 installation" : `${installations.toLocaleString("en-US")} installations`;
  return `${installed} of ${organizations === 1 ? "1 customer" : `${organizations.toLocaleString("en-US")} customers`}`;
}
