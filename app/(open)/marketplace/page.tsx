import { Store } from "lucide-react";
import { ListingCards } from "@/components/catalog/marketplace/listing-cards";
import {
  CategoryFrame,
  MarketplaceFilters,
  ResultLine,
} from "@/components/catalog/marketplace/marketplace-filters";
import { Card, EmptyState, MoreNote } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { PageHeader, Pager } from "@/components/ui/page-header";
import { CATEGORY_NAMES } from "@/lib/contract/catalog/listing-terms";
import {
  type MarketplaceFilter,
  marketplacePath,
  parseMarketplaceFilter,
  toMarketplaceQuery,
} from "@/lib/domain/catalog/marketplace";
import { countUnsearched, listNaming, NO_NAMING, searchMarketplace } from "@/lib/server/catalog/marketplace";
import { listInstalled } from "@/lib/server/installations/read-launch";
import { describePage, page } from "@/lib/server/surface/web/page";

/** Of searches, only the categories are for search engines. */
export async function generateMetadata({ searchParams }: PageProps<"/marketplace">) {
  const { category } = await searchParams;
  const filter = parseMarketplaceFilter({ category: String(category) });
  const kind = filter.category && CATEGORY_NAMES[filter.category];
  return describePage({
    path: marketplacePath(filter),
    title: kind === undefined ? "Marketplace" : `${kind} · Marketplace`,
    description: `Verified apps for your policy-administration system${kind === undefined ? "" : `: ${kind.toLowerCase()}`}.`,
  });
}

export default page("/marketplace", async ({ platform, member, searchParams }) => {
  const filter = parseMarketplaceFilter(searchParams);
  const { after } = searchParams;
  const { listings, similar, total, categories, ...pages } = await searchMarketplace(platform, filter, after);
  const naming =
    member === undefined || after !== undefined ? NO_NAMING : await listNaming(platform, member, filter);
  const ids = [...naming.listings, ...listings].map(({ id }) => id);
  const hasAny = ids.length > 0 || after !== undefined || isNarrowed(filter);
  const installed = member === undefined ? undefined : await listInstalled(platform, member, ids);
  return (
    <>
      <PageHeader title="Marketplace" description="Verified apps for your policy system." />
      {!hasAny && <Nothing filter={filter} />}
      {hasAny && (
        <CategoryFrame filter={filter} categories={categories}>
          <MarketplaceFilters filter={filter} />
          {similar && (
            <p className="mb-2 text-ink-soft">
              Nothing matches “<bdi>{filter.search}</bdi>” exactly. These apps have similar words.
            </p>
          )}
          {countUnsearched(filter.search) > 0 && (
            <p className="mb-2 text-ink-soft">The search has too many words. The last ones were left out.</p>
          )}
          {naming.listings.length > 0 && member !== undefined && (
            <section aria-labelledby="naming" className="mb-8 flex flex-col gap-3">
              <h2 id="naming" className="text-small font-medium text-ink-soft">
                Only for {member.organization.name} and other named organizations
              </h2>
              <ListingCards listings={naming.listings} installed={installed} />
              <MoreNote count={naming.more} one="app" many="apps">
                Search for it, or choose a category.
              </MoreNote>
            </section>
          )}
          <ResultLine filter={filter} total={total} />
          {listings.length > 0 ? (
            <ListingCards listings={listings} installed={installed} />
          ) : (
            <Nothing filter={filter} />
          )}
          <Pager path="/marketplace" query={toMarketplaceQuery(filter)} pages={pages} />
        </CategoryFrame>
      )}
    </>
  );
});

function isNarrowed({ search, category, connections }: MarketplaceFilter): boolean {
  return search !== "" || category !== undefined || connections.length > 0;
}

function Nothing({ filter }: { filter: MarketplaceFilter }) {
  const { search, category, connections } = filter;
  const isFiltered = category !== undefined || connections.length > 0;
  if (!isNarrowed(filter))
    return (
      <Card flush>
        <EmptyState icon={Store} title="No apps yet">
          An app appears here once a moderator verifies it.
        </EmptyState>
      </Card>
    );
  return (
    <Card flush>
      <EmptyState
        icon={Store}
        title={search === "" ? "No apps match these filters" : `No apps match “${search}”`}
        action={
          <>
            {search !== "" && isFiltered && (
              <LinkButton href={marketplacePath({ ...filter, category: undefined, connections: [] })}>
                Search without filters
              </LinkButton>
            )}
            <LinkButton href="/marketplace">Show all apps</LinkButton>
          </>
        }
      >
        Search covers names, descriptions, publishers, and the events and operations that apps handle.
      </EmptyState>
    </Card>
  );
}
