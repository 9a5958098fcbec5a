import type { LogEntry, LogEventView, LogLineView } from "@/lib/contract/log-view";
import type { Db } from "../../database/connect";
import { EVENT, LINE, placeAmong, writePosition } from "./position";
import {
  isSearch,
  type LogScope,
  type LogSelection,
  selectEvents,
  selectLines,
  selectSearchEnd,
} from "./queries";

type LineRow = Awaited<ReturnType<typeof selectLines>>[number];
type EventRow = Awaited<ReturnType<typeof selectEvents>>[number];

/** Entries in the direction they are read, and where to go on. `searchedTo`: the search stopped there. */
export interface Entries {
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
