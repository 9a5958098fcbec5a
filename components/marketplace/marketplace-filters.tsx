import Link from "next/link";
import { chipStyles } from "@/components/ui/chip-styles";
import { SearchForm } from "@/components/ui/list-controls";
import { LinkPending } from "@/components/ui/link-pending";
import { CATEGORIES, CATEGORY_NAMES } from "@/lib/contract/listing";
import { CONNECTION_NAMES } from "@/lib/contract/marketplace";
import {
  CONNECTIONS,
  marketplacePath,
  toMarketplaceQuery,
  type MarketplaceFilter,
} from "@/lib/domain/marketplace/marketplace-filter";

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

interface ChipsProps {
  label: string;
  chips: { text: string; href: string; current: boolean }[];
}

/** Not prefetched: each is a search. */
function Chips({ label, chips }: ChipsProps) {
  return (
    <nav aria-label={label} className="flex items-center gap-x-4">
      <p aria-hidden className="w-24 shrink-0 text-[13px] text-ink-faint max-sm:hidden">
        {label}
      </p>
      <ul className="flex flex-wrap gap-1.5 py-1">
        {chips.map(({ text, href, current }) => (
          <li key={text} className="shrink-0">
            <Link
              href={href}
              prefetch={false}
              aria-current={current ? "true" : undefined}
              className={chipStyles(current)}
            >
              {text}
              <LinkPending />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
