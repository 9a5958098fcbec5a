import { Boxes, Plus } from "lucide-react";
import type { Metadata } from "next";
import { ListingRows } from "@/components/surface/home-cards";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { FilterTabs, PageHeader, Pager } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import { INIT_COMMAND } from "@/lib/contract/catalog/publish-commands";
import { type ListingSort, readOwnListings } from "@/lib/server/surface/read-own-listings";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Listings" };

const createButton = (
  <LinkButton href="/publish/new" tone="primary">
    <Plus aria-hidden className="size-4" />
    New listing
  </LinkButton>
);

const SORTS: readonly { sort: ListingSort; text: string }[] = [
  { sort: "title", text: "Name" },
  { sort: "newest", text: "Newest" },
  { sort: "customers", text: "Most customers" },
  { sort: "calls", text: "Most calls" },
  { sort: "failed", text: "Most failures" },
];

/** Fewer rows are in view together. */
const LONG = 8;

export default page("/publish", async ({ platform, member, searchParams }) => {
  const { rows, total, pages, sort, search, uncheckedDrafts } = await readOwnListings(
    platform,
    member,
    searchParams,
  );
  const query = { ...(search === "" ? {} : { q: search }), ...(sort === "title" ? {} : { sort }) };
  const isLong = total >= LONG || Object.keys(query).length > 0 || !pages.isFirst;
  const none = rows.length === 0 && !isLong;
  return (
    <>
      <PageHeader
        title="Listings"
        description={`Apps of ${member.organization.name}. Counts only calls and customers of other organizations.`}
        actions={none ? undefined : createButton}
      />
      {isLong && (
        <div className="mb-6 flex flex-wrap items-center gap-3">
          <SearchForm
            path="/publish"
            label="Search your listings"
            value={search}
            keep={sort === "title" ? {} : { sort }}
          />
          <FilterTabs
            label="Sort by"
            options={SORTS.map((option) => ({
              href: `/publish?${new URLSearchParams({ ...query, sort: option.sort })}`,
              text: option.text,
              current: option.sort === sort,
            }))}
          />
        </div>
      )}
      <Card flush>
        {rows.length === 0 ? (
          <Nothing search={search} />
        ) : (
          <ListingRows
            rows={rows}
            organizationSlug={member.organization.slug}
            uncheckedDrafts={uncheckedDrafts}
          />
        )}
      </Card>
      <Pager
        path="/publish"
        query={query}
        pages={pages}
        total={`${total.toLocaleString("en-US")} listings`}
      />
    </>
  );
});

function Nothing({ search }: { search: string }) {
  if (search !== "")
    return (
      <EmptyState
        icon={Boxes}
        title={`No listings match “${search}”`}
        action={<LinkButton href="/publish">Show all</LinkButton>}
      />
    );
  return (
    <EmptyState icon={Boxes} title="No listings yet" action={createButton} command={INIT_COMMAND}>
      A listing describes your app. It starts as a draft that only your organization sees. It becomes public
      once a moderator verifies a version. To start with the app itself, run this command in an empty folder.
    </EmptyState>
  );
}
