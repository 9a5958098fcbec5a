/**
 * The statement behind every list of the marketplace. How common a word is decides how to search for it fast, and PostgreSQL
 * can't know that, so the statement leaves its planner no choice. Decision 032 has the figures.
 */
import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { Category, Connection } from "@/lib/contract/catalog/listing-terms";
import type { MarketplaceSort, SearchCursor } from "@/lib/domain/catalog/marketplace";
import { writeWordsQuery } from "../platform/database/expressions";
import { type CardVersion, cardVersionIn, listedIn } from "./access-queries";

/** Which listings match. */
interface MatchedListings {
  /** Each group has words of letters and digits, one of which a listing has. No groups: all listings. */
  words: readonly (readonly string[])[];
  category?: Category;
  connections?: readonly Connection[];
  organizationId?: string;
}

interface ListingSearch extends MatchedListings {
  /** By relevance without it: by rank, then the newest first. */
  sort?: MarketplaceSort;
  after?: SearchCursor;
  limit: number;
}

/** As a card shows it. */
export interface FoundListing {
  id: string;
  /** For the cursor. */
  place: number;
  publicSince: Date;
  organizationSlug: string;
  organizationName: string;
  appName: string;
  title: string;
  tagline: string;
  /** The beginning of its Markdown if it has no tagline; otherwise empty. */
  product: string;
  icon: string | null;
  /** How many organizations use it; 0 if too few to be told. */
  usedBy: number;
  connections: Connection[];
  version: CardVersion | null;
}

/** Full-text columns in the order of their ranks. Each includes the one before. */
const RANKED = ["search_names", "search_tagline", "search_connections", "search"];
/** Of the newest listings, how many are looked through for a match. If there is one, there are hundreds in all, or thousands. */
const SAMPLE = 100;
/** Of these, how many matches mean that a walk through the newest ones finds all that are counted faster than an index. */
const MANY_OF_SAMPLE = 30;
/** At most so many matches are read and sorted, wherever they are. */
const FEW = 800;
/** Of the newest listings, how many are read at first for a rank: very common words fill a page with these. */
const FIRST = 400;
/** Of those, how many matches mean that the rank has many in all. */
const COMMON = 3;
/** Of the newest listings, how many are read for a rank that has many matches. */
const NEWEST = 2_500;
/** At most so many matches are counted: more than anybody pages through. */
const COUNTED = 500;
/** The same without words or connections, when an index has nothing but what is counted. */
const COUNTED_OF_ALL = 10_000;

/** The columns of an index, which lists begin with. "The newest" below means those that come first in it. */
const ORDERS = {
  newest: ["public_since", "id"],
  used: ["used_by", "public_since", "id"],
} as const;
type Order = (typeof ORDERS)[keyof typeof ORDERS];

const orderBy = (order: Order) => `order by ${order.map((column) => `${column} desc`).join(", ")}`;
const pageOf = (order: Order) => `select ${order.join(", ")} from`;

/** In the order that the search asks for. */
export async function searchListings(pool: Pool, search: ListingSearch): Promise<FoundListing[]> {
  const { text, values } = writeSearch(search);
  // One text for each combination of filters: a connection plans each once.
  const name = `search-${createHash("sha256").update(text).digest("base64url").slice(0, 20)}`;
  return (await pool.query<FoundListing>({ name, text, values })).rows;
}

/** Of the words that begin with another one, how many are compared with it: the first in the alphabet, which begin with the short ones. */
const LONGER = 100;

/**
 * For each word, words of listings that are or were public: longer ones that begin with it, or else the most similar ones of about its
 * length. The operators compare bytes, as the index does in any collation.
 */
export async function selectSimilarWords(
  pool: Pool,
  words: readonly string[],
  limit: number,
): Promise<string[][]> {
  const { rows } = await pool.query<{ typed: string; near: string[] }>({
    name: "similar-words",
    text: `select typed, array(
        select word from (
          (select word from search_terms
            where word ~>=~ typed and word ~<~ (typed || chr(1114111)) order by word using ~<~ limit $3)
          union
          select word from search_terms
            where word % typed and char_length(word) between char_length(typed) - 2 and char_length(typed) + 3
        ) as near (word)
        order by starts_with(word, typed) desc, similarity(word, typed) desc, word limit $2
      ) as near
      from unnest($1::text[]) with ordinality as given (typed, at) order by at`,
    values: [words, limit, LONGER],
  });
  return rows.map(({ typed, near }) => {
    const longer = near.filter((word) => word.startsWith(typed) && word !== typed);
    return longer.length > 0 ? longer : near;
  });
}

/** Another text after each change to a listing, and to what its card shows. */
export async function readMarketplaceChanges(pool: Pool): Promise<string> {
  const text = "select concat(last_value, is_called) as changes from marketplace_changes";
  const { rows } = await pool.query<{ changes: string }>({ name: "marketplace-changes", text });
  return rows[0]?.changes ?? "";
}

/** How many listings match in each category that has any. If they are too many to count, the number that they exceed. */
export type ListingCounts = { counts: Partial<Record<Category, number>> } | { moreThan: number };

export async function countListings(pool: Pool, search: MatchedListings): Promise<ListingCounts> {
  const most = search.words.length + (search.connections ?? []).length === 0 ? COUNTED_OF_ALL : COUNTED;
  const { values, wanted, listed, matches } = writeMatches(search, most + 1);
  const where = [...matches, ...(search.words.length > 0 ? [has(RANKED.at(-1))] : [])];
  const parts = [part("wanted", wanted)];
  const counted = ["select category, count(*)::int as count from few group by category"];
  // What many of the newest listings have is counted among them: an index would list all that have it first.
  if (where.length > 0) {
    parts.push(part("probe", amongNewest(ORDERS.newest, SAMPLE, listed, where)));
    const isCommon = `${count("probe")} >= ${MANY_OF_SAMPLE}`;
    parts.push(
      part("sample", `${amongNewest(ORDERS.newest, NEWEST, [isCommon, ...listed], where)} limit $1`),
    );
    counted.push("select null, count(*)::int from sample having count(*) = $1");
    where.push(`${count("sample")} < $1`);
  }
  where.push(...listed);
  parts.push(part("few", `select category from listings where ${where.join(" and ")} limit $1`));
  const text = `with ${parts.join(",\n")} ${counted.join(" union all ")}`;
  const name = `count-${createHash("sha256").update(text).digest("base64url").slice(0, 20)}`;
  const { rows } = await pool.query<{ category: Category; count: number }>({ name, text, values });
  const total = rows.reduce((sum, { count: each }) => sum + each, 0);
  if (total > most) return { moreThan: most };
  return { counts: Object.fromEntries(rows.map((row) => [row.category, row.count])) };
}

/** @param limit is `$1` */
function writeMatches({ words, category, connections = [], organizationId }: MatchedListings, limit: number) {
  const values: unknown[] = [limit];
  const value = (given: unknown, type: string) => `$${values.push(given)}::${type}`;
  const query = value(writeWordsQuery(words), "text");
  return {
    values,
    value,
    wanted: `select to_tsquery('english', ${query}) || to_tsquery('simple', ${query}) as words,
    ${value(connections, "text[]")} as connections`,
    listed: [
      listedIn("listings"),
      ...(category === undefined ? [] : [`category = ${value(category, "listing_category")}`]),
      ...(organizationId === undefined ? [] : [`organization_id = ${value(organizationId, "uuid")}`]),
    ],
    matches: connections.length === 0 ? [] : ["connections @> (select connections from wanted)"],
  };
}

function writeSearch({ sort = "relevance", after, limit, ...search }: ListingSearch) {
  const { words } = search;
  const { values, value, wanted, listed, matches: connects } = writeMatches(search, limit);
  const order: Order = sort === "used" ? ORDERS.used : ORDERS.newest;
  const beyond = after && [
    ...(sort === "used" ? [value(after.place, "int")] : []),
    value(after.publicSince, "timestamptz"),
    value(after.id, "uuid"),
  ];
  const isBeyond = beyond === undefined ? [] : [`(${order.join(", ")}) < (${beyond.join(", ")})`];
  // Sorted by anything else, all matches are of one rank.
  const isRanked = words.length > 0 && sort === "relevance";
  const start = isRanked ? (after?.place ?? 0) : 0;
  const ranks = isRanked ? RANKED.map((_column, rank) => rank).slice(start) : [0];
  const ofRank = (rank: number) => {
    if (words.length === 0) return [];
    return isRanked ? matchesAt(rank) : [has(RANKED.at(-1))];
  };
  const parts = [part("wanted", wanted)];
  const names: string[] = [];
  if (ranks.length > 1) {
    const isLater = isBeyond.map((condition) => `(not ${has(RANKED[start])} or ${condition})`);
    parts.push(...searchFew(listed, [...connects, has(RANKED.at(-1))], [...isNotBetter(start), ...isLater]));
  }
  for (const rank of ranks) {
    const name = `rank_${rank}`;
    const better = names.map(count).join(" + ");
    const candidates = [
      ...(ranks.length > 1 ? [IS_COMMON] : []),
      ...(better === "" ? [] : [`${better} < $1`]),
      ...listed,
      ...(rank === start ? isBeyond : []),
    ];
    parts.push(...searchRank(name, order, candidates, [...connects, ...ofRank(rank)]));
    names.push(name);
  }
  const found = names.map((name) => `select id, ${name.replace("rank_", "")} as rank from ${name}`);
  if (ranks.length > 1) found.push("select id, rank from few_ranked");
  const text = `with ${parts.join(",\n")}
    select l.id, ${sort === "used" ? "l.used_by" : "found.rank"} as place, l.public_since as "publicSince", o.slug as "organizationSlug", o.name as "organizationName",
      l.app_name as "appName", l.title, l.tagline, l.icon, l.used_by as "usedBy", l.connections,
      ${cardVersionIn("l")} as version,
      case when l.tagline = '' then left(l.about ->> 'product', 4000) else '' end as product
    from (${found.join(" union all ")}) as found
    join listings l on l.id = found.id join organizations o on o.id = l.organization_id
    order by found.rank, ${order.map((column) => `l.${column} desc`).join(", ")} limit $1`;
  return { text, values };
}

/**
 * The matches of all ranks, if they are few: one index finds them, and each is ranked by itself.
 *
 * @param left which of the matches earlier pages don't have
 */
function searchFew(listed: string[], matches: string[], left: string[]): string[] {
  const better = RANKED.slice(0, -1);
  const rank = better.map((column, at) => `when ${has(column)} then ${at}`).join(" ");
  const columns = ["id", "public_since", ...better].join(", ");
  const where = [`${count("sample")} = 0`, ...listed, ...matches, ...left].join(" and ");
  return [
    part("sample", `${amongNewest(ORDERS.newest, SAMPLE, listed, matches)} limit 1`),
    part("few", `select ${columns} from listings where ${where} limit ${FEW + 1}`),
    part(
      "few_ranked",
      `select id, case ${rank} else ${better.length} end as rank from few where not ${hasMany("few")}
        order by rank, public_since desc, id desc limit $1`,
    ),
  ];
}

/** `few` doesn't have all matches, so the ranks are searched one after another. */
const IS_COMMON = `(${count("sample")} > 0 or ${hasMany("few")})`;

/**
 * At most $1 listings of a rank, the newest first, by the first of these ways that leads there: a few of the newest listings; all
 * matches, if they are few; more of the newest listings; all matches.
 */
function searchRank(name: string, order: Order, candidates: string[], matches: string[]): string[] {
  const [page, sorted] = [pageOf(order), orderBy(order)];
  if (matches.length === 0)
    return [part(name, `${page} listings where ${candidates.join(" and ")} ${sorted} limit $1`)];
  // Without an order, so that the planner doesn't walk an index that has it.
  const byIndex = (condition: string) =>
    `${page} listings where ${[condition, ...candidates, ...matches].join(" and ")}`;
  const [inFirst, inNewest] = [count(`${name}_first`), count(`${name}_newest`)];
  const areMany = `(${inFirst} between ${COMMON} and $1 - 1 or ${hasMany(`${name}_few`)})`;
  return [
    part(`${name}_first`, `${amongNewest(order, FIRST, candidates, matches)} limit $1`),
    part(`${name}_few`, `${byIndex(`${inFirst} < ${COMMON}`)} limit ${FEW + 1}`),
    part(`${name}_newest`, `${amongNewest(order, NEWEST, [areMany, ...candidates], matches)} limit $1`),
    part(`${name}_all`, byIndex(`${areMany} and ${inNewest} < $1`)),
    part(
      name,
      `select * from ${name}_first where ${inFirst} = $1
        union all (select * from ${name}_few where not ${areMany} ${sorted} limit $1)
        union all select * from ${name}_newest where ${inNewest} = $1
        union all (select * from ${name}_all ${sorted} limit $1)`,
    ),
  ];
}

/** The inner limit keeps the planner from searching before it sorts. */
function amongNewest(order: Order, limit: number, candidates: string[], matches: string[]): string {
  const columns = [...order, "connections", ...RANKED].join(", ");
  return `${pageOf(order)} (
    select ${columns} from listings where ${candidates.join(" and ")} ${orderBy(order)} limit ${limit}
  ) as newest where ${matches.join(" and ")} ${orderBy(order)}`;
}

/** Has all words, and some only in what this rank adds. */
function matchesAt(rank: number): string[] {
  return [has(RANKED[rank]), ...isNotBetter(rank)];
}

function isNotBetter(rank: number): string[] {
  const better = RANKED[rank - 1];
  return better === undefined ? [] : [`not ${has(better)}`];
}

function has(column: string | undefined): string {
  return `${column} @@ (select words from wanted)`;
}

function part(name: string, text: string): string {
  return `${name} as materialized (${text})`;
}

function count(name: string): string {
  return `(select count(*) from ${name})`;
}

function hasMany(name: string): string {
  return `${count(name)} > ${FEW}`;
}
