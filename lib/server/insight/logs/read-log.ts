import type { LogEntry, LogEventView, LogLineView, LogPage } from "@/lib/contract/insight/app-log";
import type { LogFilter } from "@/lib/contract/insight/filters";
import { Problem } from "@/lib/contract/platform/problem";
import { toRange } from "@/lib/domain/calls/call-range";
import type { Agent } from "@/lib/domain/platform/actor";
import { selectOwnListing } from "../../catalog/listing-queries";
import { selectOwnVersion } from "../../catalog/version-queries";
import { type Db, readWithin } from "../../platform/database/connect";
import { searchText } from "../../platform/database/expressions";
import { selectCursor, writeCursor } from "../../platform/live-queries";
import type { Platform } from "../../platform/platform";
import {
  isSearch,
  type LogScope,
  type LogSelection,
  selectEvents,
  selectInstances,
  selectLoggedVersions,
  selectLines,
  selectSearchEnd,
} from "./entry-queries";
import { checkPosition, EVENT, LINE, momentIn, placeAmong, writePosition } from "./log-position";

/**
 * Reads what the page of an app's logs shows first: the versions, the newest first, and the first page of one version's log. The
 * default is the version that wrote last. An app without versions has no log page.
 * @throws NOT_FOUND for an app of another organization, or a version that the app doesn't have
 */
export async function openLog(
  platform: Platform,
  agent: Agent,
  appName: string,
  number: string | undefined,
  filter: LogFilter,
) {
  const listing = await selectOwnListing(platform.db, agent.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const { versions, current } = await chooseVersion(platform.db, listing.id, number);
  const first =
    current && (await listEntries(platform, agent, { listingId: listing.id, versionId: current.id }, filter));
  return { listing, versions, current, first };
}

/**
 * The version whose log is read, among the versions of the app that have one. The default is the one that wrote last; undefined without versions.
 * @throws NOT_FOUND for a version that the app doesn't have
 */
export async function chooseVersion(db: Db, listingId: string, number: string | undefined) {
  const versions = await selectLoggedVersions(db, listingId, number);
  const current = number === undefined ? findLast(versions) : versions.find((each) => each.number === number);
  if (current === undefined && number !== undefined)
    throw new Problem("NOT_FOUND", `This app has no version ${number.slice(0, 40)}. Check the number.`);
  return { versions, current };
}

function findLast<Version extends { lastLineAt: string | null }>(versions: readonly Version[]) {
  return versions.reduce<Version | undefined>(
    (last, version) =>
      last === undefined || (version.lastLineAt ?? "") > (last.lastLineAt ?? "") ? version : last,
    undefined,
  );
}

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

type LineRow = Awaited<ReturnType<typeof selectLines>>[number];
type EventRow = Awaited<ReturnType<typeof selectEvents>>[number];

/** Entries in the direction they are read, and where to go on. `searchedTo`: the search stopped there. */
interface Entries {
  entries: LogEntry[];
  next?: string;
  searchedTo?: string;
}

interface Reading {
  /** A position: only what is beyond it. */
  beyond?: string;
  direction: LogSelection["direction"];
  limit: number;
}

/** Lines and events in one order, a page at a time. */
export async function readEntries(
  db: Db,
  scope: LogScope,
  { beyond, direction, limit }: Reading,
): Promise<Entries> {
  const among = (kind: typeof EVENT | typeof LINE) => ({
    beyond: beyond === undefined ? undefined : placeAmong(kind, beyond),
    direction,
  });
  const lines = await selectLines(db, scope, { ...among(LINE), limit: limit + 1 });
  const events = await selectEvents(db, scope, { ...among(EVENT), limit: limit + 1 });
  const found = [...lines.map(viewLine), ...events.map(viewEvent)].sort(compare(direction));
  const isFull = lines.length > limit || !isSearch(scope.filter);
  const end = isFull ? undefined : await selectSearchEnd(db, scope, among(LINE));
  const searchedTo = end && writePosition(LINE, { at: end.microseconds, id: String(end.id) });
  // Beyond that, there may be lines between the events.
  const seen =
    searchedTo === undefined ? found : found.filter(({ id }) => isBefore(id, searchedTo, direction));
  const entries = seen.slice(0, limit);
  if (seen.length > limit) return { entries, next: entries.at(-1)?.id };
  return { entries, next: searchedTo, searchedTo };
}

const compare = (direction: LogSelection["direction"]) => (one: LogEntry, other: LogEntry) =>
  one.id === other.id ? 0 : isBefore(one.id, other.id, direction) ? -1 : 1;

/** Whether an entry is read before another position, or is at it. */
function isBefore(id: string, position: string, direction: LogSelection["direction"]): boolean {
  return direction === "older" ? id >= position : id <= position;
}

export function viewLine({ at, microseconds, id, ...row }: LineRow): LogLineView {
  const position = writePosition(LINE, { at: microseconds, id: String(id) });
  return { kind: "line", id: position, at: at.toISOString(), ...row };
}

export function viewEvent({ at, microseconds, id, ...row }: EventRow): LogEventView {
  const position = writePosition(EVENT, { at: microseconds, id: String(id) });
  return { kind: "event", id: position, at: at.toISOString(), ...row };
}
