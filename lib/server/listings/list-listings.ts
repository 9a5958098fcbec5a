import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform";
import { selectListings, type ListingFilter, type ListingRow } from "./queries";

const PAGE = 24;

export interface ListingQuery {
  search?: string;
  /** The opaque cursor of the page before. */
  after?: string;
}

export interface ListingPage {
  listings: ListingRow[];
  /** Cursor of the next page; undefined on the last. */
  next?: string;
}

/** Public listings and the organization's own, by title. */
export function listMarketplace(
  platform: Platform,
  member: Member,
  query: ListingQuery,
): Promise<ListingPage> {
  return listPage(platform, { visibleTo: member.organization.id }, query);
}

/** The organization's own, by title. */
export function listOwnListings(
  platform: Platform,
  member: Member,
  query: ListingQuery,
): Promise<ListingPage> {
  return listPage(platform, { ownedBy: member.organization.id }, query);
}

async function listPage(
  platform: Platform,
  scope: Partial<ListingFilter>,
  query: ListingQuery,
): Promise<ListingPage> {
  const search = query.search?.trim().slice(0, 100) || undefined;
  const rows = await selectListings(platform.db, {
    ...scope,
    search,
    after: readCursor(query.after),
    limit: PAGE + 1,
  });
  const listings = rows.slice(0, PAGE);
  const last = listings.at(-1);
  return rows.length > PAGE && last !== undefined ? { listings, next: writeCursor(last) } : { listings };
}

function writeCursor(row: ListingRow): string {
  return Buffer.from(JSON.stringify([row.title, row.id])).toString("base64url");
}

/** A cursor that is not ours starts at the first page: it came from an address, which people edit. */
function readCursor(text: string | undefined): { title: string; id: string } | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text ?? "", "base64url").toString());
    if (!Array.isArray(parsed)) return undefined;
    const [title, id] = parsed;
    return typeof title === "string" && typeof id === "string" && /^[0-9a-f-]{36}$/.test(id)
      ? { title, id }
      : undefined;
  } catch {
    return undefined;
  }
}
