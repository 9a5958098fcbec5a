/**
 * The statement behind every list of the marketplace. How common a word is decides how to search for it fast, and PostgreSQL
 * can't know that, so the statement leaves its planner no choice. Decision 046 has the figures.
 */
import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { Category } from "@/lib/contract/listing";
import type { Connection } from "@/lib/contract/marketplace";
import type { SearchCursor } from "@/lib/domain/marketplace/search-cursor";
import { writeWordsQuery } from "../database/search";

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
/** Of the newest listings, how many are read at first: very common words fill a page with these. */
const FIRST = 400;
/** As many matches are read and sorted, wherever they are. */
const FEW = 300;
/** Of the newest listings, how many are read for words that have more matches. */
const NEWEST = 2_500;
const NEWEST_FIRST = "order by public_since desc, id desc";

/** Best rank first, then newest first. */
export async function searchListings(pool: Pool, search: ListingSearch): Promise<FoundListing[]> {
  const { text, values } = writeSearch(search);
  // One text for each combination of filters: a connection plans each once.
  const name = `search-${createHash("sha256").update(text).digest("base64url").slice(0, 20)}`;
  return (await pool.query<FoundListing>({ name, text, values })).rows;
}

function writeSearch({ words, category, connections = [], organizationId, after, limit }: ListingSearch) {
  const values: unknown[] = [limit];
  const value = (given: unknown, type: string) => `$${values.push(given)}::${type}`;
  const query = value(writeWordsQuery(words), "text");
  const wanted = `select to_tsquery('english', ${query}) || to_tsquery('simple', ${query}) as words,
    ${value(connections, "text[]")} as connections`;
  const isListed = [
    "state = 'PUBLIC'",
    ...(category === undefined ? [] : [`category = ${value(category, "listing_category")}`]),
    ...(organizationId === undefined ? [] : [`organization_id = ${value(organizationId, "uuid")}`]),
  ];
  const connects = connections.length === 0 ? [] : ["connections @> (select connections from wanted)"];
  const isBeyond =
    after && `(public_since, id) < (${value(after.publicSince, "timestamptz")}, ${value(after.id, "uuid")})`;
  const first = words.length === 0 ? 0 : (after?.rank ?? 0);
  const last = words.length === 0 ? 0 : RANKED.length - 1;
  const parts = [`wanted as materialized (${wanted})`];
  const ranks: string[] = [];
  for (let rank = first; rank <= last; rank += 1) {
    const matches = words.length === 0 ? connects : [...connects, ...matchesAt(rank)];
    const candidates = isBeyond !== undefined && rank === first ? [...isListed, isBeyond] : isListed;
    const better = ranks.map((name) => `(select count(*) from ${name})`).join(" + ");
    const isNeeded = better === "" ? [] : [`${better} < $1`];
    parts.push(...searchRank(`rank_${rank}`, [...isNeeded, ...candidates], matches));
    ranks.push(`rank_${rank}`);
  }
  const found = ranks.map((name) => `select id, ${name.replace("rank_", "")} as rank from ${name}`);
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
 * At most $1 listings, the newest first, by the first of these ways that leads there: a few of the newest listings; all matches,
 * if they are few; more of the newest listings; all matches.
 */
function searchRank(name: string, candidates: string[], matches: string[]): string[] {
  const listed = candidates.join(" and ");
  const part = (suffix: string, text: string) => `${name}${suffix} as materialized (${text})`;
  const page = "select id, public_since from";
  if (matches.length === 0) return [part("", `${page} listings where ${listed} ${NEWEST_FIRST} limit $1`)];
  const columns = ["id", "public_since", "connections", ...RANKED].join(", ");
  const found = matches.join(" and ");
  const count = (suffix: string) => `(select count(*) from ${name}${suffix})`;
  // The inner limit keeps the planner from searching before it sorts.
  const amongNewest = (limit: number, condition = "true") => `${page} (
    select ${columns} from listings where ${condition} and ${listed} ${NEWEST_FIRST} limit ${limit}
  ) as newest where ${found} ${NEWEST_FIRST} limit $1`;
  // Without an order, so that the planner doesn't walk an index that has it.
  const byIndex = (condition: string) => `${page} listings where ${condition} and ${listed} and ${found}`;
  const areMany = `${count("_few")} > ${FEW}`;
  return [
    part("_first", amongNewest(FIRST)),
    part("_few", `${byIndex(`${count("_first")} < $1`)} limit ${FEW + 1}`),
    part("_newest", amongNewest(NEWEST, areMany)),
    part("_all", byIndex(`${areMany} and ${count("_newest")} < $1`)),
    part(
      "",
      `select * from ${name}_first where ${count("_first")} = $1
        union all (select * from ${name}_few where not ${areMany} ${NEWEST_FIRST} limit $1)
        union all select * from ${name}_newest where ${count("_newest")} = $1
        union all (select * from ${name}_all ${NEWEST_FIRST} limit $1)`,
    ),
  ];
}

/** Has all words, and some only in what this rank adds. */
function matchesAt(rank: number): string[] {
  const [vector, better] = [RANKED[rank], RANKED[rank - 1]];
  const has = (column: string | undefined) => `${column} @@ (select words from wanted)`;
  return better === undefined ? [has(vector)] : [has(vector), `not ${has(better)}`];
}
