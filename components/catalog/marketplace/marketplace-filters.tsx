import { SearchForm } from "@/components/ui/page-header";
import { CATEGORIES, CATEGORY_NAMES, CONNECTION_NAMES } from "@/lib/contract/catalog/listing-terms";
import {
  CONNECTIONS,
  type MarketplaceFilter,
  marketplacePath,
  toMarketplaceQuery,
} from "@/lib/domain/catalog/marketplace";
import { Chips } from "./chips";

/** Search, categories and connections. All of them are in the URL, and work before any script has loaded. */
export function MarketplaceFilters({ filter }: { filter: MarketplaceFilter }) {
  const { q: _search, ...keep } = toMarketplaceQuery(filter);
  return (
    <div className="mb-6 flex flex-col gap-4">
      <SearchForm path="/marketplace" label="Search apps" value={filter.search} keep={keep} />
      <CategoryLinks filter={filter} />
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

const ALL: MarketplaceFilter = { search: "", category: undefined, connections: [] };

/** Without a filter: nothing is chosen, not even all. */
export function CategoryLinks({ filter }: { filter?: MarketplaceFilter }) {
  const chip = (text: string, category: MarketplaceFilter["category"]) => ({
    text,
    href: marketplacePath({ ...(filter ?? ALL), category }),
    current: filter !== undefined && filter.category === category,
  });
  const categories = CATEGORIES.map((category) => chip(CATEGORY_NAMES[category], category));
  return (
    <Chips
      label="Category"
      chips={filter === undefined ? categories : [chip("All", undefined), ...categories]}
    />
  );
}
