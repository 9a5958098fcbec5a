/**
 * The statement behind every list of the marketplace. How common a word is decides how to search for it fast, and PostgreSQL
 * can't know that, so the statement leaves its planner no choice. Decision 032 has the figures.
 */
import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { Category, Connection } from "@/lib/contract/catalog/listing-terms";
import type { SearchCursor } from "@/lib/domain/catalog/marketplace";
import { writeWordsQuery } from "../platform/database/expressions";

interface ListingSearch {
  /** Each group has words of letters and digits, one of which a listing has. No groups: all listings. */
  words: readonly (readonly string[])[];
  category?: Category;
  connections?: readonly Connection[];
  organizationId?: string;
  after?: SearchCursor;
  limit: number;
}

/** As a card shows it. */
export interface FoundListing {
  id: string;
  rank: number;
  publicSince: Date;
  organizationSlug: string;
  organizationName: string;
  appName: string;
  title: string;
  tagline: string;
  /** The beginning of its Markdown if it has no tagline; otherwise empty. */
  product: string;
  icon: string | null;
}

/** Full-text columns in the order of their ranks. Each includes the one before. */
const RANKED = ["search_names", "search_tagline", "search_connections", "search"];
/** Of the newest listings, how many are looked through for a match. If there is one, there are hundreds in all, or thousands. */
const SAMPLE = 100;
/** At most so many matches are read and sorted, wherever they are. */
const FEW = 800;
/** Of the newest listings, how many are read at first for a rank: very common words fill a page with these. */
const FIRST = 400;
/** Of those, how many matches mean that the rank has many in all. */
const COMMON = 3;
/** Of the newest listings, how many are read for a rank that has many matches. */
const NEWEST = 2_500;
const NEWEST_FIRST = "order by public_since desc, id desc";
const PAGE = "select id, public_since from";

/** Best rank first, then newest first. */
export async function searchListings(pool: Pool, search: ListingSearch): Promise<FoundListing[]> {
  const { text, values } = writeSearch(search);
  // One text for each combination of filters: a connection plans each once.
  const name = `search-${createHash("sha256").update(text).digest("base64url").slice(0, 20)}`;
  return (await pool.query<FoundListing>({ name, text, values })).rows;
}

/** For each word, words of listings that are or were public: longer ones that begin with it, or else the most similar ones. */
export async function selectSimilarWords(
  pool: Pool,
  words: readonly string[],
  limit: number,
): Promise<string[][]> {
  const { rows } = await pool.query<{ typed: string; near: string[] }>({
    name: "similar-words",
    text: `select typed, array(
        select word from search_terms where word like typed || '%' or word % typed
          order by word like typed || '%' desc, similarity(word, typed) desc, word limit $2
      ) as near
      from unnest($1::text[]) with ordinality as given (typed, at) order by at`,
    values: [words, limit],
  });
  return rows.map(({ typed, near }) => {
    const longer = near.filter((word) => word.startsWith(typed) && word !== typed);
    return longer.length > 0 ? longer : near;
  });
}

function writeSearch({ words, category, connections = [], organizationId, after, limit }: ListingSearch) {
  const values: unknown[] = [limit];
  const value = (given: unknown, type: string) => `$${values.push(given)}::${type}`;
  const query = value(writeWordsQuery(words), "text");
  const wanted = `select to_tsquery('english', ${query}) || to_tsquery('simple', ${query}) as words,
    ${value(connections, "text[]")} as connections`;
  const listed = [
    "state = 'PUBLIC'",
    ...(category === undefined ? [] : [`category = ${value(category, "listing_category")}`]),
    ...(organizationId === undefined ? [] : [`organization_id = ${value(organizationId, "uuid")}`]),
  ];
  const connects = connections.length === 0 ? [] : ["connections @> (select connections from wanted)"];
  const beyond =
    after && `(public_since, id) < (${value(after.publicSince, "timestamptz")}, ${value(after.id, "uuid")})`;
  const isBeyond = beyond === undefined ? [] : [beyond];
  const start = words.length === 0 ? 0 : (after?.rank ?? 0);
  const ranks = words.length === 0 ? [0] : RANKED.map((_column, rank) => rank).slice(start);
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
    const matches = words.length === 0 ? connects : [...connects, ...matchesAt(rank)];
    parts.push(...searchRank(name, candidates, matches));
    names.push(name);
  }
  const found = names.map((name) => `select id, ${name.replace("rank_", "")} as rank from ${name}`);
  if (ranks.length > 1) found.push("select id, rank from few_ranked");
  const text = `with ${parts.join(",\n")}
    select l.id, found.rank, l.public_since as "publicSince", o.slug as "organizationSlug", o.name as "organizationName",
      l.app_name as "appName", l.title, l.tagline, l.icon,
      case when l.tagline = '' then left(l.about ->> 'product', 4000) else '' end as product
    from (${found.join(" union all ")}) as found
    join listings l on l.id = found.id join organizations o on o.id = l.organization_id
    order by found.rank, l.public_since desc, l.id desc limit $1`;
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
    part("sample", `${amongNewest(SAMPLE, listed, matches)} limit 1`),
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
function searchRank(name: string, candidates: string[], matches: string[]): string[] {
  if (matches.length === 0)
    return [part(name, `${PAGE} listings where ${candidates.join(" and ")} ${NEWEST_FIRST} limit $1`)];
  // Without an order, so that the planner doesn't walk an index that has it.
  const byIndex = (condition: string) =>
    `${PAGE} listings where ${[condition, ...candidates, ...matches].join(" and ")}`;
  const [inFirst, inNewest] = [count(`${name}_first`), count(`${name}_newest`)];
  const areMany = `(${inFirst} between ${COMMON} and $1 - 1 or ${hasMany(`${name}_few`)})`;
  return [
    part(`${name}_first`, `${amongNewest(FIRST, candidates, matches)} limit $1`),
    part(`${name}_few`, `${byIndex(`${inFirst} < ${COMMON}`)} limit ${FEW + 1}`),
    part(`${name}_newest`, `${amongNewest(NEWEST, [areMany, ...candidates], matches)} limit $1`),
    part(`${name}_all`, byIndex(`${areMany} and ${inNewest} < $1`)),
    part(
      name,
      `select * from ${name}_first where ${inFirst} = $1
        union all (select * from ${name}_few where not ${areMany} ${NEWEST_FIRST} limit $1)
        union all select * from ${name}_newest where ${inNewest} = $1
        union all (select * from ${name}_all ${NEWEST_FIRST} limit $1)`,
    ),
  ];
}

/** The inner limit keeps the planner from searching before it sorts. */
function amongNewest(limit: number, candidates: string[], matches: string[]): string {
  const columns = ["id", "public_since", "connections", ...RANKED].join(", ");
  return `${PAGE} (
    select ${columns} from listings where ${candidates.join(" and ")} ${NEWEST_FIRST} limit ${limit}
  ) as newest where ${matches.join(" and ")} ${NEWEST_FIRST}`;
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
