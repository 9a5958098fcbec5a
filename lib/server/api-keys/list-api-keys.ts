import type { Member } from "@/lib/domain/actor";
import { searchText } from "../database/search";
import type { Platform } from "../platform/platform";
import { selectApiKeys, type ApiKeyRow } from "./queries";

const PAGE = 50;

/** The organization's keys, newest first, without anything that could open them. `after`: the last id of the page before. */
export async function listApiKeys(
  platform: Platform,
  member: Member,
  query: { search?: string; after?: string },
) {
  const rows = await selectApiKeys(platform.db, member.organization.id, {
    search: searchText(query.search),
    after: query.after,
    limit: PAGE + 1,
  });
  const apiKeys: ApiKeyRow[] = rows.slice(0, PAGE);
  return { apiKeys, next: rows.length > PAGE ? apiKeys.at(-1)?.id : undefined };
}
