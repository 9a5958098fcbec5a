/** What a page of the marketplace shows, as its URL says it. Whatever the URL doesn't say correctly is left out. */
import {
  CATEGORIES,
  type Category,
  type Connection,
  CONNECTION_NAMES,
} from "@/lib/contract/catalog/listing-terms";
import { isId } from "@/lib/contract/platform/text";

/** `used`: those that most organizations use first. */
export type MarketplaceSort = "relevance" | "newest" | "used";

export const SORT_NAMES = {
  relevance: "Relevance",
  newest: "Newest",
  used: "Most used",
} as const satisfies Record<MarketplaceSort, string>;

export interface MarketplaceFilter {
  /** As typed; empty for all. */
  search: string;
  category: Category | undefined;
  /** The app connects to each of these. */
  connections: Connection[];
  /** Never `relevance` without a search, to which nothing is more or less relevant. */
  sort: MarketplaceSort;
}

export const CONNECTIONS = Object.keys(CONNECTION_NAMES) as Connection[];
const SEARCH_CHARACTERS = 100;

export function parseMarketplaceFilter(query: Record<string, string>): MarketplaceFilter {
  const connections = (query.connects ?? "").split(",");
  // PostgreSQL accepts neither NUL nor half a surrogate pair.
  const search = (query.q ?? "")
    .slice(0, SEARCH_CHARACTERS)
    .replace(/\0|\p{Surrogate}/gu, "")
    .trim();
  return {
    search,
    category: CATEGORIES.find((category) => category === query.category),
    connections: CONNECTIONS.filter((connection) => connections.includes(connection)),
    sort: listSorts(search).find((sort) => sort === query.sort) ?? defaultSort(search),
  };
}

/** What a list can be sorted by, the default first. */
export function listSorts(search: string): MarketplaceSort[] {
  return search === "" ? ["newest", "used"] : ["relevance", "newest", "used"];
}

function defaultSort(search: string): MarketplaceSort {
  return search === "" ? "newest" : "relevance";
}

/** The query of a URL that parses to this filter. */
export function toMarketplaceQuery({ search, category, connections, sort }: MarketplaceFilter) {
  return {
    ...(search === "" ? {} : { q: search }),
    ...(category === undefined ? {} : { category }),
    ...(connections.length === 0 ? {} : { connects: connections.join(",") }),
    ...(sort === defaultSort(search) ? {} : { sort }),
  };
}

export function marketplacePath(filter: MarketplaceFilter): string {
  const query = new URLSearchParams(toMarketplaceQuery(filter)).toString();
  return query === "" ? "/marketplace" : `/marketplace?${query}`;
}

// Where a page of results ends: the place of its last listing, since when that is public, and its id.

export interface SearchCursor {
  /** Its rank from 0 to 3; or, sorted by use, how many organizations use it. */
  place: number;
  publicSince: Date;
  id: string;
}

export function writeCursor({ place, publicSince, id }: SearchCursor): string {
  return `${place}.${publicSince.getTime()}.${id}`;
}

/** Undefined, which is the first page, for anything that `writeCursor` doesn't write. */
export function parseCursor(text: string | undefined, sort: MarketplaceSort): SearchCursor | undefined {
  const [, written = "", time = "", id = ""] =
    /^(\d{1,9})\.(\d{1,13})\.([0-9a-f-]{36})$/.exec(text ?? "") ?? [];
  const place = Number(written);
  const isPlace = sort === "used" || place <= 3;
  return isId(id) && isPlace ? { place, publicSince: new Date(Number(time)), id } : undefined;
}

/** From so many organizations on, people read how many use an app: fewer could be guessed. */
export const USED_BY_LEAST = 5;
