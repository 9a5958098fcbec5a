import type { MarketplaceFilter } from "@/lib/domain/marketplace/marketplace-filter";
import { parseCursor, writeCursor } from "@/lib/domain/marketplace/search-cursor";
import { summarizeMarkdown } from "@/lib/domain/summarize-markdown";
import { searchWords } from "../database/search";
import type { Platform } from "../platform/platform";
import { searchListings, selectSimilarWords, type FoundListing } from "./search-queries";

const PAGE = 24;
/** How many similar words replace a word that no listing has. */
const SIMILAR = 4;
/** More words don't narrow the results, and each costs time. */
const WORDS = 8;

/** A listing as a card shows it. */
export type ListingCard = ReturnType<typeof toCard>;

export interface MarketplacePage {
  listings: ListingCard[];
  /** Cursor of the next page; undefined on the last page. */
  next: string | undefined;
  /** No listing has the words as typed: these have longer or similar ones. */
  similar: boolean;
}

/**
 * Public listings that have all words of the search: by name first, then by tagline, connections, and texts; the newest first
 * among equals. If no listing has them, words that begin with them are searched instead, or similar ones. An invalid cursor
 * starts at the first page.
 */
export async function searchMarketplace(
  { pool }: Platform,
  filter: MarketplaceFilter,
  cursor?: string,
): Promise<MarketplacePage> {
  const typed = searchWords(filter.search.toLowerCase()).slice(0, WORDS);
  // Only punctuation, which matches nothing.
  if (typed.length === 0 && filter.search !== "") return toPage([]);
  const search = { ...filter, after: parseCursor(cursor), limit: PAGE + 1 };
  const found = await searchListings(pool, { ...search, words: typed.map((word) => [word]) });
  if (found.length > 0 || typed.length === 0) return toPage(found);
  const similar = await selectSimilarWords(pool, typed, SIMILAR);
  if (similar.every(({ length }) => length === 0)) return toPage([]);
  const words = typed.map((word, at) => [word, ...(similar[at] ?? [])]);
  return toPage(await searchListings(pool, { ...search, words }), true);
}

/** The newest public listings. */
export async function listNewest({ pool }: Platform, limit: number): Promise<ListingCard[]> {
  return (await searchListings(pool, { words: [], limit })).map(toCard);
}

/** A page of a publisher's public listings, the newest first. */
export async function listOfPublisher(
  { pool }: Platform,
  organizationId: string,
  cursor?: string,
): Promise<MarketplacePage> {
  return toPage(
    await searchListings(pool, { words: [], organizationId, after: parseCursor(cursor), limit: PAGE + 1 }),
  );
}

function toPage(found: FoundListing[], similar = false): MarketplacePage {
  const shown = found.slice(0, PAGE);
  const last = shown.at(-1);
  const next = found.length > PAGE && last !== undefined ? writeCursor(last) : undefined;
  return { listings: shown.map(toCard), next, similar: similar && shown.length > 0 };
}

function toCard({ product, tagline, rank: _rank, publicSince: _since, ...listing }: FoundListing) {
  return { ...listing, summary: tagline || summarizeMarkdown(product) };
}
