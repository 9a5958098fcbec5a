import type { LogFilter } from "@/lib/contract/log-filter";
import type { LogPage } from "@/lib/contract/log-view";
import { Problem } from "@/lib/contract/problem";
import type { Agent } from "@/lib/domain/actor";
import { toRange } from "@/lib/domain/call-range";
import { readWithin } from "../../database/read-within";
import { searchText } from "../../database/search";
import { writeCursor } from "../../live/cursor";
import { selectCursor } from "../../live/queries";
import type { Platform } from "../../platform/platform";
import { checkPosition, momentIn } from "./position";
import type { LogScope } from "./queries";
import { readEntries } from "./read-entries";
import { selectInstances, selectOwnVersion } from "./scope-queries";

/** The version whose log is read. */
export interface LogSubject {
  listingId: string;
  versionId: string;
}

const PAGE_SIZE = 200;

/** For each statement. */
export const READ_MS = 5_000;

/** @throws NOT_FOUND if it is not a version of one of the organization's own apps */
export async function findLog(
  platform: Platform,
  { organization }: Agent,
  subject: LogSubject,
  filter: LogFilter,
) {
  const { listingId, versionId } = subject;
  const found = await selectOwnVersion(platform.db, organization.id, listingId, versionId);
  if (found === undefined) throw new Problem("NOT_FOUND");
  const cleaned = { ...filter, q: searchText(filter.q) };
  const scope: LogScope = { versionId, filter: cleaned, range: toRange(cleaned, new Date()) };
  return { ...found, scope };
}

/**
 * A page of the log of a version: the newest entries that a filter shows, or those before a position.
 * @throws NOT_FOUND as `findLog`; BAD_INPUT if the position is not valid; UNAVAILABLE if a search takes too long
 */
export async function listEntries(
  platform: Platform,
  agent: Agent,
  subject: LogSubject,
  filter: LogFilter,
  before?: string,
): Promise<LogPage> {
  const { db, pool } = platform;
  const beyond = before === undefined ? undefined : checkPosition(before);
  const { scope } = await findLog(platform, agent, subject, filter);
  // Read before the entries, so that one that is stored in between is in both, instead of in neither.
  const position = beyond === undefined ? writeCursor(await selectCursor(pool)) : undefined;
  const read = await readWithin(db, READ_MS, (tx) =>
    readEntries(tx, scope, { beyond, direction: "older", limit: PAGE_SIZE }),
  );
  const page: LogPage = {
    entries: read.entries.toReversed(),
    next: read.next,
    searchedTo: read.searchedTo && momentIn(read.searchedTo).toISOString(),
  };
  if (beyond !== undefined) return page;
  return { ...page, position, instances: await selectInstances(db, subject.versionId) };
}
