import type { MarketplaceFilter } from "@/lib/domain/marketplace/marketplace-filter";
import { parseCursor, writeCursor } from "@/lib/domain/marketplace/search-cursor";
import { summarizeMarkdown } from "@/lib/domain/summarize-markdown";
import { searchWords } from "../database/search";
import type { Platform } from "../platform/platform";
import { selectSimilarWords } from "./queries";
import { searchListings, type FoundListing } from "./search-queries";

const PAGE = 24;
/** What a word that nothing has may stand for. */
const SIMILAR = 4;
/** More words narrow nothing down, and each is work. */
const WORDS = 8;

/** A listing as a card shows it. */
export type ListingCard = ReturnType<typeof toCard>;

export interface MarketplacePage {
  listings: ListingCard[];
  /** Cursor of the next page; undefined on the last page. */
  next: string | undefined;
  /** Nothing has the words as typed: these have longer or similar ones. */
  similar: boolean;
}

/**
 * Public listings that have all words of the search: by name first, then by tagline, connections, and texts; the newest first
 * among equals. Where nothing has them, words that begin with them are searched instead, or similar ones. An invalid cursor
 * starts at the first page.
 */
export async function searchMarketplace(
  { db, pool }: Platform,
  filter: MarketplaceFilter,
  cursor?: string,
): Promise<MarketplacePage> {
  const typed = searchWords(filter.search.toLowerCase()).slice(0, WORDS);
  // Only punctuation: nothing has it.
  if (typed.length === 0 && filter.search !== "") return toPage([]);
  const search = { ...filter, after: parseCursor(cursor), limit: PAGE + 1 };
  const found = await searchListings(pool, { ...search, words: typed.map((word) => [word]) });
  if (found.length > 0 || typed.length === 0) return toPage(found);
  const words = await Promise.all(
    typed.map(async (word) => [word, ...(await selectSimilarWords(db, word, SIMILAR))]),
  );
  if (words.every(({ length }) => length === 1)) return toPage([]);
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
