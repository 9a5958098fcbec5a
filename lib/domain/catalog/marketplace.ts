/** What a page of the marketplace shows, as its URL says it. Whatever the URL doesn't say correctly is left out. */
import {
  CATEGORIES,
  type Category,
  type Connection,
  CONNECTION_NAMES,
} from "@/lib/contract/catalog/listing-terms";
import { isId } from "@/lib/contract/platform/text";

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

// Where a page of results ends: the rank of its last listing, since when that is public, and its id.

export interface SearchCursor {
  rank: number;
  publicSince: Date;
  id: string;
}

export function writeCursor({ rank, publicSince, id }: SearchCursor): string {
  return `${rank}.${publicSince.getTime()}.${id}`;
}

/** Undefined, which is the first page, for anything that `writeCursor` doesn't write. */
export function parseCursor(text: string | undefined): SearchCursor | undefined {
  const [, rank = "", time = "", id = ""] = /^([0-3])\.(\d{1,13})\.([0-9a-f-]{36})$/.exec(text ?? "") ?? [];
  return isId(id) ? { rank: Number(rank), publicSince: new Date(Number(time)), id } : undefined;
}
