import type { CallChanges } from "@/lib/contract/call-log";
import type { CallFilter } from "@/lib/contract/call-filter";
import { Problem } from "@/lib/contract/problem";
import { isMember, type Member } from "@/lib/domain/actor";
import { searchText } from "../database/search";
import { readActor } from "../identity/sessions";
import type { Platform } from "../platform/platform";
import { findScope } from "./find-scope";
import { listsDeliveries, viewAttempt } from "./list-calls";
import { selectCalls } from "./queries";
import { type Cursor, isShown, readCursor, writeCursor } from "./tail/cursor";
import { MOST_CHANGES, selectChanges, selectCursor } from "./tail/queries";
import type { Delta, Watch } from "./tail/watch-changes";

/**
 * `calls`: what changed. `beat`: nothing did, and the session is still active. `end`: it has ended, and reconnecting is useless.
 * `id` is the position to resume from.
 */
export type CallEvent =
  { event: "calls"; id: string; data: CallChanges } | { event: "beat"; id: string } | { event: "end" };

const CHECK_MS = 5_000;

/** Streams don't resume from older positions: the list is loaded again. */
const RESUMES_MS = 10 * 60_000;

export interface CallStream {
  filter: CallFilter;
  /** The position after which it begins: of a list or of an event. Now by default. */
  after?: string;
  /** Ends the stream. */
  signal: AbortSignal;
  /** How often the session is checked, in milliseconds. Events or beats are sent at least this often. */
  checkMs?: number;
}

/**
 * The changes of the attempts that a filter shows, from a position on, until the member's session ends. Each change is sent once.
 * @throws BAD_INPUT if the position is not valid or the filter lists deliveries; NOT_FOUND as for lists
 */
export async function streamCalls(
  platform: Platform,
  watch: Watch,
  member: Member,
  { filter: input, after, signal, checkMs = CHECK_MS }: CallStream,
): Promise<AsyncGenerator<CallEvent>> {
  const filter = { ...input, q: searchText(input.q) };
  if (listsDeliveries(filter))
    throw new Problem("BAD_INPUT", "Lists of deliveries have no live updates. Choose another state.");
  const start = after === undefined ? undefined : readCursor(after);
  await findScope(platform.db, member, filter);
  return follow(platform, watch, member, { filter, start, signal, checkMs });
}

interface Followed extends Required<Omit<CallStream, "after">> {
  start: Cursor | undefined;
}

async function* follow(
  platform: Platform,
  watch: Watch,
  member: Member,
  { filter, start, signal, checkMs }: Followed,
): AsyncGenerator<CallEvent> {
  const { id: organizationId } = member.organization;
  const subscription = await watch(organizationId);
  try {
    const first = await catchUp(platform, organizationId, start);
    let shown = first.cursor;
    yield await describe(platform, member, filter, first);
    let checkedAt = Date.now();
    while (!signal.aborted) {
      const delta = await subscription.next(checkMs, signal);
      if (signal.aborted) return;
      if (Date.now() - checkedAt >= checkMs) {
        if (!(await isStillMember(platform, member))) return yield { event: "end" };
        checkedAt = Date.now();
      }
      const before = shown;
      if (delta !== undefined && delta.cursor.at > shown.at) shown = delta.cursor;
      const changes = delta?.changes.filter(({ transaction }) => !isShown(before, transaction)) ?? [];
      yield await describe(platform, member, filter, { cursor: shown, changes, more: delta?.more === true });
    }
  } finally {
    subscription.end();
  }
}

async function catchUp(
  { pool }: Platform,
  organizationId: string,
  start: Cursor | undefined,
): Promise<Delta> {
  const now = await selectCursor(pool);
  if (start === undefined) return { cursor: now, changes: [], more: false };
  if (Math.abs(now.at - start.at) > RESUMES_MS) return { cursor: now, changes: [], more: true };
  const { cursor, changes } = await selectChanges(pool, [organizationId], start);
  const more = changes.length > MOST_CHANGES;
  return { cursor, changes: more ? [] : changes, more };
}

async function describe(
  { db }: Platform,
  member: Member,
  filter: CallFilter,
  { cursor, changes, more }: Delta,
): Promise<CallEvent> {
  const id = writeCursor(cursor);
  const ids = changes.map((change) => change.id);
  if (ids.length === 0 && !more) return { event: "beat", id };
  // Installations may have been added since.
  const scope = await findScope(db, member, filter);
  const calls = (await selectCalls(db, scope, filter, { ids, limit: ids.length })).map(viewAttempt);
  const matching = new Set(calls.map((call) => call.id));
  // Only a call in progress stops matching.
  const gone = filter.state === "open" ? ids.filter((each) => !matching.has(each)) : [];
  if (calls.length === 0 && gone.length === 0 && !more) return { event: "beat", id };
  return { event: "calls", id, data: { calls, gone, more } };
}

async function isStillMember(platform: Platform, member: Member): Promise<boolean> {
  const actor = await readActor(platform, member.sessionId);
  return actor !== undefined && isMember(actor) && actor.organization.id === member.organization.id;
}
