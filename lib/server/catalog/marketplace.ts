import type { Category } from "@/lib/contract/catalog/listing-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { summarizeConnections } from "@/lib/domain/catalog/describe-app";
import { summarizeMarkdown } from "@/lib/domain/catalog/markdown";
import { type MarketplaceFilter, parseCursor, writeCursor } from "@/lib/domain/catalog/marketplace";
import { type Actor, isMember } from "@/lib/domain/platform/actor";
import { searchWords } from "../platform/database/expressions";
import type { Platform } from "../platform/platform";
import { selectManifest } from "./listing-queries";
import {
  selectCardVersions,
  selectPublisher,
  selectShownVersions,
  selectVisibleListing,
} from "./marketplace-queries";
import {
  countListings,
  type FoundListing,
  type ListingCounts,
  searchListings,
  selectSimilarWords,
} from "./search-queries";

const PAGE = 24;
/** How many similar words replace a word that no listing has. */
const SIMILAR = 4;
/** More words don't narrow the results, and each costs time. */
const WORDS = 8;

/** A listing as a card shows it. */
type ListingCard = Awaited<ReturnType<typeof toCards>>[number];

interface ListingPage {
  listings: ListingCard[];
  /** Cursor of the next page; undefined on the last page. */
  next: string | undefined;
}

interface MarketplacePage extends ListingPage {
  /** No listing has the words as typed: these have longer or similar ones. */
  similar: boolean;
  /** Of all pages; of more than can be counted, the number that they exceed. */
  total: { count: number; isMore: boolean };
  /** How many the same search finds in each category that has any; undefined if they are too many to count. */
  categories: Partial<Record<Category, number>> | undefined;
}

/**
 * Public listings that have all words of the search: by name first, then by tagline, connections, and texts; the newest first
 * among equals; or in the order that the filter asks for. If no listing has them, words that begin with them are searched instead,
 * or similar ones. An invalid cursor starts at the first page.
 */
export async function searchMarketplace(
  platform: Platform,
  filter: MarketplaceFilter,
  cursor?: string,
): Promise<MarketplacePage> {
  const { pool } = platform;
  const typed = searchWords(filter.search).slice(0, WORDS);
  // Only punctuation, which matches nothing.
  if (typed.length === 0 && filter.search !== "") return NOTHING;
  const search = { ...filter, after: parseCursor(cursor, filter.sort), limit: PAGE + 1 };
  const find = async (words: readonly (readonly string[])[]) => {
    const [found, counted] = await Promise.all([
      searchListings(pool, { ...search, words }),
      countInCategories(pool, filter, words),
    ]);
    return { found, counted };
  };
  const { found, counted } = await find(typed);
  // A category may have none of the listings that have the words.
  if (found.length > 0 || typed.length === 0 || counted.hasAny)
    return { ...(await toPage(platform, found)), ...counted, similar: false };
  const similar = await selectSimilarWords(
    pool,
    typed.map(([word = ""]) => word),
    SIMILAR,
  );
  if (similar.every(({ length }) => length === 0)) return NOTHING;
  const near = await find(typed.map((word, at) => [...word, ...(similar[at] ?? [])]));
  return { ...(await toPage(platform, near.found)), ...near.counted, similar: near.found.length > 0 };
}

const NOTHING: MarketplacePage = {
  listings: [],
  next: undefined,
  similar: false,
  total: { count: 0, isMore: false },
  categories: {},
};

async function countInCategories(
  pool: Platform["pool"],
  { category, connections }: MarketplaceFilter,
  words: readonly (readonly string[])[],
) {
  const all = await countListings(pool, { words, connections });
  const asked =
    "moreThan" in all && category !== undefined
      ? await countListings(pool, { words, connections, category })
      : all;
  return {
    hasAny: countIn(all, undefined).count > 0,
    total: countIn(asked, category),
    categories: "counts" in all ? all.counts : undefined,
  };
}

function countIn(counted: ListingCounts, category: Category | undefined) {
  if ("moreThan" in counted) return { count: counted.moreThan, isMore: true };
  const { counts } = counted;
  const count =
    category === undefined
      ? Object.values(counts).reduce((sum, each) => sum + each, 0)
      : (counts[category] ?? 0);
  return { count, isMore: false };
}

/** The newest public listings. */
export async function listNewest(platform: Platform, limit: number): Promise<ListingCard[]> {
  return toCards(platform, await searchListings(platform.pool, { words: [], limit }));
}

/** A page of a publisher's public listings, the newest first. */
export async function listOfPublisher(
  platform: Platform,
  organizationId: string,
  cursor?: string,
): Promise<ListingPage> {
  const after = parseCursor(cursor, "newest");
  return toPage(
    platform,
    await searchListings(platform.pool, { words: [], organizationId, after, limit: PAGE + 1 }),
  );
}

async function toPage(platform: Platform, found: FoundListing[]): Promise<ListingPage> {
  const shown = found.slice(0, PAGE);
  const last = shown.at(-1);
  const next = found.length > PAGE && last !== undefined ? writeCursor(last) : undefined;
  return { listings: await toCards(platform, shown), next };
}

async function toCards({ db }: Platform, found: readonly FoundListing[]) {
  const versions = await selectCardVersions(
    db,
    found.map(({ id }) => id),
  );
  return found.map(({ product, tagline, place: _place, publicSince: _since, ...listing }) => {
    const version = versions.get(listing.id);
    return {
      ...listing,
      summary: tagline || summarizeMarkdown(product),
      version: version?.number ?? null,
      connects: version === undefined ? [] : summarizeConnections(version),
    };
  });
}

const VERSIONS = 20;

/**
 * A listing as its page shows it to a visitor or an actor. Only their organization and moderators see drafts and
 * suspended listings: NOT_FOUND for everyone else, as for an unknown name.
 * @param before `next` of the previous page of versions, from the URL: an invalid one means the first page
 */
export async function readMarketplaceListing(
  { db }: Platform,
  actor: Actor | undefined,
  organizationSlug: string,
  appName: string,
  before?: string,
) {
  const trusted = actor?.lacksSecondFactor === true ? undefined : actor;
  const organizationId = trusted !== undefined && isMember(trusted) ? trusted.organization.id : undefined;
  const moderator = trusted?.moderator === true;
  const listing = await selectVisibleListing(db, organizationSlug, appName, { organizationId, moderator });
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const own = listing.organizationId === organizationId;
  const page = { before: before !== undefined && isId(before) ? before : undefined, limit: VERSIONS + 1 };
  const found = await selectShownVersions(db, listing.id, { all: own, ...page });
  const versions = found.slice(0, VERSIONS);
  const next = found.length > VERSIONS ? versions.at(-1)?.id : undefined;
  const [newest] =
    page.before === undefined ? versions : await selectShownVersions(db, listing.id, { all: own, limit: 1 });
  // The publisher's own newest ones may all be unverified, and what customers launch is older.
  const [verified] = own ? await selectShownVersions(db, listing.id, { all: false, limit: 1 }) : [newest];
  const manifest = newest && (await selectManifest(db, newest.id));
  return { listing, own, newest, manifest, verified, versions, next };
}

/** NOT_FOUND for organizations without a public listing, so that nobody learns who else there is. */
export async function readPublisher({ db }: Platform, slug: string) {
  const publisher = await selectPublisher(db, slug);
  if (publisher === undefined) throw new Problem("NOT_FOUND");
  return publisher;
}
