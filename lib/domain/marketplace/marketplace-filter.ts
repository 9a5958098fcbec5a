/** What a page of the marketplace shows, as its URL says it. Whatever the URL doesn't say correctly is left out. */
import { CATEGORIES, type Category } from "@/lib/contract/listing-terms";
import { CONNECTION_NAMES, type Connection } from "@/lib/contract/marketplace";

export interface MarketplaceFilter {
  /** As typed; empty for all. */
  search: string;
  category: Category | undefined;
  /** The app connects to each of these. */
  connections: Connection[];
}

export const CONNECTIONS = Object.keys(CONNECTION_NAMES) as Connection[];
const SEARCH_CHARACTERS = 100;

export function parseMarketplaceFilter(query: Record<string, string>): MarketplaceFilter {
  const connections = (query.connects ?? "").split(",");
  return {
    // PostgreSQL accepts neither NUL nor half a surrogate pair.
    search: (query.q ?? "")
      .slice(0, SEARCH_CHARACTERS)
      .replace(/\0|\p{Surrogate}/gu, "")
      .trim(),
    category: CATEGORIES.find((category) => category === query.category),
    connections: CONNECTIONS.filter((connection) => connections.includes(connection)),
  };
}

/** The query of a URL that parses to this filter. */
export function toMarketplaceQuery({ search, category, connections }: MarketplaceFilter) {
  return {
    ...(search === "" ? {} : { q: search }),
    ...(category === undefined ? {} : { category }),
    ...(connections.length === 0 ? {} : { connects: connections.join(",") }),
  };
}

export function marketplacePath(filter: MarketplaceFilter): string {
  const query = new URLSearchParams(toMarketplaceQuery(filter)).toString();
  return query === "" ? "/marketplace" : `/marketplace?${query}`;
}
