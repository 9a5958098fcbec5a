import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { FilterTabs } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import {
  CATEGORIES,
  type Category,
  CATEGORY_NAMES,
  CONNECTION_NAMES,
} from "@/lib/contract/catalog/listing-terms";
import {
  CONNECTIONS,
  listSorts,
  type MarketplaceFilter,
  marketplacePath,
  parseMarketplaceFilter,
  SORT_NAMES,
  toMarketplaceQuery,
} from "@/lib/domain/catalog/marketplace";
import { CategoryList, Chips } from "./chips";

/** Search and connections. Both are in the URL, and work before any script has loaded. */
export function MarketplaceFilters({ filter }: { filter: MarketplaceFilter }) {
  const { q: _search, ...keep } = toMarketplaceQuery(filter);
  return (
    <div className="mb-4 flex flex-col gap-4">
      <SearchForm path="/marketplace" label="Search apps" value={filter.search} keep={keep} />
      <Chips
        label="Connects to"
        chips={CONNECTIONS.map((connection) => {
          const current = filter.connections.includes(connection);
          const connections = current
            ? filter.connections.filter((other) => other !== connection)
            : [...filter.connections, connection];
          return {
            text: CONNECTION_NAMES[connection],
            href: marketplacePath({ ...filter, connections }),
            current,
          };
        })}
      />
    </div>
  );
}

interface ResultLineProps {
  filter: MarketplaceFilter;
  total: { count: number; isMore: boolean };
}

/** How many apps there are, and what they are sorted by. */
export function ResultLine({ filter, total: { count, isMore } }: ResultLineProps) {
  const number = count.toLocaleString("en-US");
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <p role="status" className="text-small text-ink-soft tabular-nums">
        {isMore ? `More than ${number} apps` : `${number} ${count === 1 ? "app" : "apps"}`}
      </p>
      {(count > 1 || isMore) && (
        <FilterTabs
          label="Sort by"
          options={listSorts(filter.search).map((sort) => ({
            text: SORT_NAMES[sort],
            href: marketplacePath({ ...filter, sort }),
            current: sort === filter.sort,
          }))}
        />
      )}
    </div>
  );
}

interface CategoryFrameProps {
  filter: MarketplaceFilter;
  /** How many apps the search finds in each category that has any; undefined if they are too many to count. */
  categories: Partial<Record<Category, number>> | undefined;
  /** The results. */
  children: ReactNode;
}

/**
 * Categories beside the results, or a menu above them where there is no room, as on a phone or with large text. Those without a result are
 * left out, but for the chosen one.
 */
export function CategoryFrame({ filter, categories, children }: CategoryFrameProps) {
  const all =
    categories === undefined ? undefined : Object.values(categories).reduce((sum, each) => sum + each, 0);
  const choose = (category: Category | undefined) => ({
    href: marketplacePath({ ...filter, category }),
    current: category === filter.category,
  });
  return (
    <div className="@container">
      <div className="@2xl:grid @2xl:grid-cols-[12rem_minmax(0,1fr)] @2xl:items-start @2xl:gap-8">
        {/* Opens what follows it. A new choice closes it. */}
        <details
          key={filter.category}
          className="group peer mb-4 rounded-field border border-line bg-surface open:mb-0 open:rounded-b-none @2xl:hidden"
        >
          <summary className="flex min-h-9 cursor-pointer list-none items-center justify-between gap-3 rounded-field px-3 py-1 text-sm text-ink [&::-webkit-details-marker]:hidden">
            <span>
              <span className="text-ink-faint">Category:</span>{" "}
              {filter.category === undefined ? ALL_CATEGORIES : CATEGORY_NAMES[filter.category]}
            </span>
            <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-faint group-open:rotate-180" />
          </summary>
        </details>
        <nav
          aria-label="Category"
          className="@max-2xl:hidden @max-2xl:rounded-b-field @max-2xl:border @max-2xl:border-t-0 @max-2xl:border-line @max-2xl:bg-surface @max-2xl:p-1 @max-2xl:peer-open:mb-4 @max-2xl:peer-open:block"
        >
          <h2 className="mb-2 px-2.5 text-small font-medium text-ink @max-2xl:hidden">Category</h2>
          <CategoryList
            choices={[
              { text: ALL_CATEGORIES, count: all, ...choose(undefined) },
              ...CATEGORIES.filter(
                (category) =>
                  categories === undefined || category in categories || category === filter.category,
              ).map((category) => ({
                text: CATEGORY_NAMES[category],
                count: categories && (categories[category] ?? 0),
                ...choose(category),
              })),
            ]}
          />
        </nav>
        <div className="min-w-0">{children}</div>
      </div>
    </div>
  );
}

const ALL_CATEGORIES = "All categories";

/** All categories, where no search has found anything yet. */
export function CategoryLinks() {
  return (
    <Chips
      label="Category"
      chips={CATEGORIES.map((category) => ({
        text: CATEGORY_NAMES[category],
        href: marketplacePath({ ...parseMarketplaceFilter({}), category }),
        current: false,
      }))}
    />
  );
}
