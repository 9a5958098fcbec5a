import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { summarizeMarkdown } from "@/lib/domain/catalog/markdown";
import { type MarketplaceFilter, parseCursor, writeCursor } from "@/lib/domain/catalog/marketplace";
import { type Actor, isMember } from "@/lib/domain/platform/actor";
import { searchWords } from "../platform/database/expressions";
import type { Platform } from "../platform/platform";
import { selectManifest } from "./listing-queries";
import { selectPublisher, selectShownVersions, selectVisibleListing } from "./marketplace-queries";
import { type FoundListing, searchListings, selectSimilarWords } from "./search-queries";

const PAGE = 24;
/** How many similar words replace a word that no listing has. */
const SIMILAR = 4;
/** More words don't narrow the results, and each costs time. */
const WORDS = 8;

/** A listing as a card shows it. */
type ListingCard = ReturnType<typeof toCard>;

interface MarketplacePage {
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
  const typed = searchWords(filter.search).slice(0, WORDS);
  // Only punctuation, which matches nothing.
  if (typed.length === 0 && filter.search !== "") return toPage([]);
  const search = { ...filter, after: parseCursor(cursor), limit: PAGE + 1 };
  const found = await searchListings(pool, { ...search, words: typed });
  if (found.length > 0 || typed.length === 0) return toPage(found);
  const similar = await selectSimilarWords(
    pool,
    typed.map(([word = ""]) => word),
    SIMILAR,
  );
  if (similar.every(({ length }) => length === 0)) return toPage([]);
  const words = typed.map((word, at) => [...word, ...(similar[at] ?? [])]);
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
