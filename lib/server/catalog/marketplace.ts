import type { Pool } from "pg";
import type { Category } from "@/lib/contract/catalog/listing-terms";
import type { Pages } from "@/lib/contract/platform/pages";
import { Problem } from "@/lib/contract/platform/problem";
import { isOffered, maySee } from "@/lib/domain/catalog/access";
import { summarizeConnections } from "@/lib/domain/catalog/describe-app";
import { summarizeMarkdown } from "@/lib/domain/catalog/markdown";
import {
  type MarketplaceFilter,
  type MarketplaceSort,
  parseCursor,
  writeCursor,
} from "@/lib/domain/catalog/marketplace";
import { type Actor, isMember, type Member } from "@/lib/domain/platform/actor";
import { searchWords } from "../platform/database/expressions";
import { ID_CURSOR, readPage } from "../platform/database/paging";
import type { Platform } from "../platform/platform";
import { shareReads } from "../platform/shared-reads";
import { selectNamingListings, selectPilotVersion } from "./access-queries";
import { selectManifest } from "./listing-queries";
import { type ListingName, selectListing, selectPublisher, selectShownVersions } from "./marketplace-queries";
import {
  countListings,
  type FoundListing,
  type ListingCounts,
  readMarketplaceChanges,
  searchListings,
  selectSimilarWords,
} from "./search-queries";
import { opensLink } from "./visibility";

const PAGE = 24;
/** How many similar words replace a word that no listing has. */
const SIMILAR = 4;
/** More words don't narrow the results, and each costs time. */
const WORDS = 8;

/** A listing as a card shows it. */
type ListingCard = ReturnType<typeof toCards>[number];

interface ListingPage extends Pages {
  listings: ListingCard[];
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
  { pool }: Platform,
  filter: MarketplaceFilter,
  cursor?: string,
): Promise<MarketplacePage> {
  const key = JSON.stringify([await readMarketplaceChanges(pool), filter, cursor]);
  return knownPages(pool)(key, () => search(pool, filter, cursor));
}

/** Everybody gets the same pages, so they are kept until a listing changes: half a minute at most, since a change is counted just before it is seen. */
const PAGES = { max: 500, freshMs: 30_000 };
const pagesOf = new WeakMap<Pool, ReturnType<typeof shareReads<MarketplacePage>>>();

function knownPages(pool: Pool) {
  const known = pagesOf.get(pool) ?? shareReads<MarketplacePage>(PAGES);
  pagesOf.set(pool, known);
  return known;
}

async function search(pool: Pool, filter: MarketplaceFilter, cursor?: string): Promise<MarketplacePage> {
  const typed = searchWords(filter.search).slice(0, WORDS);
  // Only punctuation, which matches nothing.
  if (typed.length === 0 && filter.search !== "") return NOTHING;
  const trail = readTrail(cursor, filter.sort);
  const asked = { ...filter, after: parseCursor(trail.at(-1), filter.sort), limit: PAGE + 1 };
  const find = async (words: readonly (readonly string[])[]) => {
    const [found, counted] = await Promise.all([
      searchListings(pool, { ...asked, words }),
      countInCategories(pool, filter, words),
    ]);
    return { found, counted };
  };
  const { found, counted } = await find(typed);
  // A category may have none of the listings that have the words.
  if (found.length > 0 || typed.length === 0 || counted.hasAny)
    return { ...toPage(found, trail), ...counted, similar: false };
  const similar = await selectSimilarWords(
    pool,
    typed.map(([word = ""]) => word),
    SIMILAR,
  );
  if (similar.every(({ length }) => length === 0)) return NOTHING;
  const near = await find(typed.map((word, at) => [...word, ...(similar[at] ?? [])]));
  return { ...toPage(near.found, trail), ...near.counted, similar: near.found.length > 0 };
}

/** How many words of a search are left out, because it has too many. */
export function countUnsearched(search: string): number {
  return Math.max(0, searchWords(search).length - WORDS);
}

const NOTHING: MarketplacePage = {
  listings: [],
  isFirst: true,
  similar: false,
  total: { count: 0, isMore: false },
  categories: {},
};

async function countInCategories(
  pool: Pool,
  { category, connections }: MarketplaceFilter,
  words: readonly (readonly string[])[],
) {
  const [all, inCategory] = await Promise.all([
    countListings(pool, { words, connections }),
    category === undefined ? undefined : countListings(pool, { words, connections, category }),
  ]);
  const asked = "moreThan" in all ? (inCategory ?? all) : all;
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

/** How many listings that name an organization are shown beside those for everyone. */
const NAMING = 12;

export const NO_NAMING: { listings: ListingCard[]; more: number } = { listings: [], more: 0 };

/** The listings that only the organizations which their publishers name can see, if the member's is one, and they match. */
export async function listNaming(
  platform: Platform,
  { organization }: Member,
  { search, category }: Pick<MarketplaceFilter, "search" | "category">,
): Promise<{ listings: ListingCard[]; more: number }> {
  const words = searchWords(search).slice(0, WORDS);
  if (words.length === 0 && search !== "") return NO_NAMING;
  const found = await selectNamingListings(platform.db, organization.id, { words, category, limit: NAMING });
  const listings = toCards(found.map(({ total: _total, ...listing }) => listing));
  return { listings, more: (found[0]?.total ?? 0) - listings.length };
}

/** The newest public listings. */
export async function listNewest(platform: Platform, limit: number): Promise<ListingCard[]> {
  return toCards(await searchListings(platform.pool, { words: [], limit }));
}

/** A page of a publisher's public listings, the newest first. */
export async function listOfPublisher(
  platform: Platform,
  organizationId: string,
  cursor?: string,
): Promise<ListingPage> {
  const trail = readTrail(cursor, "newest");
  const after = parseCursor(trail.at(-1), "newest");
  const search = { words: [], organizationId, after, limit: PAGE + 1 };
  return toPage(await searchListings(platform.pool, search), trail);
}

const BETWEEN = ",";
/** Pages that a link remembers the way through: more than anybody goes back. */
const TRAIL = 40;

/**
 * The cursors of the pages on the way to a page, its own last. The statement of a search goes in one direction only, so the link to a page
 * remembers where those before it began.
 */
function readTrail(written: string | undefined, sort: MarketplaceSort): string[] {
  const trail = (written ?? "").split(BETWEEN);
  return trail.every((cursor) => parseCursor(cursor, sort) !== undefined) ? trail.slice(-TRAIL) : [];
}

function toPage(found: FoundListing[], trail: string[]): ListingPage {
  const shown = found.slice(0, PAGE);
  const last = shown.at(-1);
  const isLast = found.length <= PAGE || last === undefined;
  return {
    listings: toCards(shown),
    isFirst: trail.length === 0,
    previous: trail.length === 0 ? undefined : trail.slice(0, -1).join(BETWEEN),
    next: isLast ? undefined : [...trail, writeCursor(last)].join(BETWEEN),
  };
}

function toCards(found: readonly FoundListing[]) {
  return found.map(
    ({ product, tagline, connections, version, place: _place, publicSince: _since, ...listing }) => ({
      ...listing,
      summary: tagline || summarizeMarkdown(product),
      version: version?.number ?? null,
      connects: version === null ? [] : summarizeConnections({ connections, hosts: version.hosts }),
    }),
  );
}

const VERSIONS = 20;

/** Who asks: a member of this organization, a moderator, or a visitor. */
interface Viewer {
  organizationId?: string;
  moderator: boolean;
}

export function toViewer(actor: Actor | undefined): Viewer {
  const trusted = actor?.lacksSecondFactor === true ? undefined : actor;
  return {
    organizationId: trusted !== undefined && isMember(trusted) ? trusted.organization.id : undefined,
    moderator: trusted?.moderator === true,
  };
}

/**
 * A listing that the viewer may see. NOT_FOUND for every other, as for an unknown name.
 * @param link what the address gives as the token of its link
 */
export async function requireListing(
  platform: Platform,
  name: ListingName,
  { organizationId, moderator }: Viewer,
  link?: string,
) {
  const row = await selectListing(platform.db, name, organizationId);
  if (row === undefined) throw new Problem("NOT_FOUND");
  const { named, installed, pilot, linkHash, ...listing } = row;
  const own = listing.organizationId === organizationId;
  const hasLink = opensLink({ ...listing, linkHash }, link);
  const standing = { own, moderator, named, installed, pilot, link: hasLink };
  if (!maySee(listing, standing)) throw new Problem("NOT_FOUND");
  return {
    ...{ listing, own, pilot },
    mayLaunch: isOffered(listing, standing),
    link: hasLink ? link : undefined,
  };
}

/**
 * A listing as its page shows it to a visitor or an actor. NOT_FOUND for those who may not see it, as for an unknown name.
 * @param after cursor of the page of versions, from the URL: an invalid one means the first page
 */
export async function readMarketplaceListing(
  platform: Platform,
  actor: Actor | undefined,
  organizationSlug: string,
  appName: string,
  after?: string,
  askedLink?: string,
) {
  const { db } = platform;
  const name = { organizationSlug, appName };
  const seen = await requireListing(platform, name, toViewer(actor), askedLink);
  const { listing, own, pilot } = seen;
  const { rows: versions, ...pages } = await readPage(after, VERSIONS, ID_CURSOR, (position, limit) =>
    selectShownVersions(db, listing.id, { all: own, position, limit }),
  );
  const [newest] = pages.isFirst
    ? versions
    : await selectShownVersions(db, listing.id, { all: own, limit: 1 });
  // The publisher's own newest ones may all be unverified, and what customers launch is older.
  const [verified] = own ? await selectShownVersions(db, listing.id, { all: false, limit: 1 }) : [newest];
  const manifest = newest && (await selectManifest(db, newest.id));
  const piloted = pilot ? await selectPilotVersion(db, listing.id) : undefined;
  return { ...seen, newest, manifest, verified, versions, pages, piloted };
}

/** NOT_FOUND for organizations without a public listing, so that nobody learns who else there is. */
export async function readPublisher({ db }: Platform, slug: string) {
  const publisher = await selectPublisher(db, slug);
  if (publisher === undefined) throw new Problem("NOT_FOUND");
  return publisher;
}
