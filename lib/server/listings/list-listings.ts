import { isId } from "@/lib/contract/names";
import type { Member } from "@/lib/domain/actor";
import { searchText } from "../database/search";
import type { Platform } from "../platform/platform";
import { selectListings, type ListingRow } from "./queries";

const PAGE = 24;

export interface ListingQuery {
  search?: string;
  /** Cursor from the previous page. An invalid one starts at the first page. */
  after?: string;
}

export interface ListingPage {
  listings: ListingRow[];
  /** Cursor of the next page; undefined on the last page. */
  next: string | undefined;
}

/** The organization's own listings, sorted by title. */
export async function listOwnListings(
  platform: Platform,
  member: Member,
  query: ListingQuery,
): Promise<ListingPage> {
  const rows = await selectListings(platform.db, {
    ownedBy: member.organization.id,
    search: searchText(query.search),
    after: query.after !== undefined && isId(query.after) ? query.after : undefined,
    limit: PAGE + 1,
  });
  const listings = rows.slice(0, PAGE);
  return { listings, next: rows.length > PAGE ? listings.at(-1)?.id : undefined };
}
