import { Boxes } from "lucide-react";
import type { Metadata } from "next";
import { ModerationFrame } from "@/components/moderation/moderation-frame";
import { AppCell } from "@/components/catalog/marketplace/listing-cards";
import { StateBadge } from "@/components/ui/badge";
import { Card, EmptyState } from "@/components/ui/card";
import { FilterTabs, Pager, SortTabs } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { UserText } from "@/components/ui/values";
import type { ListingState } from "@/lib/contract/catalog/listing";
import { listModeratedListings } from "@/lib/server/moderation/read-moderated-listings";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Listings · Moderation" };

const STATES = [
  ["PUBLIC", "Public"],
  ["SUSPENDED", "Suspended"],
  ["DRAFT", "Draft"],
  ["RETIRED", "Retired"],
] as const satisfies [ListingState, string][];

const SORTS = [
  { sort: "name", text: "Name" },
  { sort: "changed", text: "Recently changed" },
  { sort: "newest", text: "Newest" },
] as const;

const PATH = "/moderation/listings";

export default page("/moderation/listings", async ({ platform, searchParams }) => {
  const { q = "", after } = searchParams;
  const { state, sort, listings, counts, ...pages } = await listModeratedListings(platform, {
    state: searchParams.state,
    search: q,
    sort: searchParams.sort,
    after,
  });
  const filter: Record<string, string> = { state, ...(q === "" ? {} : { q }) };
  const sorted: Record<string, string> = sort === "name" ? {} : { sort };
  const query = { ...filter, ...sorted };
  const total = counts[state] ?? 0;
  const hasAny = q !== "" || Object.values(counts).some((count) => count > 0);
  return (
    <ModerationFrame description="The apps of every publisher. Open one to suspend or reinstate it.">
      {hasAny && (
        <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
          <FilterTabs
            label="State"
            options={STATES.map(([value, text]) => ({
              href: `${PATH}?${new URLSearchParams({ ...query, state: value })}`,
              text,
              count: counts[value] ?? 0,
              current: value === state,
            }))}
          />
          <SearchForm path={PATH} label="Search listings" value={q} keep={{ state, ...sorted }} />
          {total > 1 && <SortTabs path={PATH} query={filter} sorts={SORTS} current={sort} />}
        </div>
      )}
      <Card flush>
        {listings.length === 0 ? (
          <EmptyState icon={Boxes} title={hasAny ? "No matching listings" : "No listings yet"}>
            {hasAny
              ? "Try another state or search term."
              : "A publisher's app appears here once its listing is created."}
          </EmptyState>
        ) : (
          <Table label="Listings">
            <TableHead columns={["App", "Publisher", "Changed", "State"]} />
            <TableBody>
              {listings.map((listing) => (
                <TableRow key={listing.id}>
                  <AppCell listing={listing} href={`${PATH}/${listing.id}`} />
                  <TableCell label="Publisher" className="text-ink-soft">
                    <UserText>{listing.organizationName}</UserText>
                  </TableCell>
                  <TableCell label="Changed" className="whitespace-nowrap text-ink-soft">
                    <RelativeTime at={listing.updatedAt} />
                  </TableCell>
                  <TableCell>
                    <StateBadge state={listing.state} />
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        )}
      </Card>
      <Pager path={PATH} query={query} pages={pages} total={`${total.toLocaleString("en-US")} listings`} />
    </ModerationFrame>
  );
});
