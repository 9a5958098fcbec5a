import { Problem } from "@/lib/contract/platform/problem";
import { type Agent, isMember, nameActor } from "@/lib/domain/platform/actor";
import { type Cursor, isShown, readCursor, selectCursor, writeCursor } from "../platform/live-queries";
import type { Platform } from "../platform/platform";
import { createWatch, type Delta, type Source, type Watch } from "../platform/watch-changes";
import { isActiveKey } from "./credentials/api-key-queries";
import { readActor } from "./sessions";

/** Of a user's pages, or of an API key. A browser opens six connections to a host at most, so more would be useless. */
const MOST_EACH = 6;

/** In one process. */
const MOST_STREAMS = 500;

/** The live lists of this process. */
interface LiveLists {
  watches: Map<Source, Watch>;
  /** How many each user or API key has open. */
  byReader: Map<string, number>;
  open: Set<AbortController>;
  /** When the process ends: a drain would wait for them. One that is opened later ends at once, and its reader looks for another process. */
  endAll: () => void;
  hasEnded: () => boolean;
}

declare module "../platform/platform" {
  interface Services {
    liveLists: LiveLists;
  }
}

export function createLiveLists(): LiveLists {
  const open = new Set<AbortController>();
  let hasEnded = false;
  return {
    watches: new Map(),
    byReader: new Map(),
    open,
    endAll: () => {
      hasEnded = true;
      open.forEach((stream) => stream.abort());
    },
    hasEnded: () => hasEnded,
  };
}

/**
 * Follows a list as `followChanges` does, and counts.
 * @throws TOO_MANY_REQUESTS if the user or API key has too many open; UNAVAILABLE if the process has; and as `followChanges`
 */
export function openStream<Changes>(
  platform: Platform,
  agent: Agent,
  list: LiveList<Changes>,
  { signal, ...following }: Following,
): AsyncGenerator<LiveEvent<Changes>> {
  const { watches, byReader, open, hasEnded } = platform.services.liveLists;
  const reader = nameActor(agent);
  const own = byReader.get(reader) ?? 0;
  if (own >= MOST_EACH)
    throw new Problem(
      "TOO_MANY_REQUESTS",
      "apiKeyId" in agent
        ? `This API key has ${own} live lists open. End one of them first.`
        : `You have ${own} live lists open. Close one, or pause its live updates.`,
    );
  if (open.size >= MOST_STREAMS)
    throw new Problem(
      "UNAVAILABLE",
      "Too many live lists are open. The list still updates when you reload it.",
    );
  const watch = watches.get(list.source) ?? createWatch(platform, list.source);
  watches.set(list.source, watch);
  const ended = new AbortController();
  if (hasEnded()) ended.abort();
  const both = AbortSignal.any([signal, ended.signal]);
  const events = followChanges(platform, watch, agent, list, { ...following, signal: both });
  byReader.set(reader, own + 1);
  open.add(ended);
  return release(events, () => {
    open.delete(ended);
    const left = (byReader.get(reader) ?? 1) - 1;
    if (left === 0) byReader.delete(reader);
    else byReader.set(reader, left);
  });
}

async function* release<Each>(values: AsyncGenerator<Each>, leave: () => void): AsyncGenerator<Each> {
  try {
    yield* values;
  } finally {
    leave();
  }
}

/**
 * `changes`: what changed. `beat`: nothing did, and the session or API key is still active. `end`: it has ended, and reconnecting is useless.
 * `id` is the position to resume from.
 */
export type LiveEvent<Changes> =
  { event: "changes"; id: string; data: Changes } | { event: "beat"; id: string } | { event: "end" };

/** A list that is kept up to date. */
interface LiveList<Changes> {
  source: Source;
  key: string;
  /** What the list shows of the rows that changed; `more`: it has to be loaded again. Undefined if it shows nothing. */
  describe: (ids: string[], more: boolean) => Promise<Changes | undefined>;
  /** Whether somebody whose role may have changed may still read it. */
  mayRead: (agent: Agent) => boolean;
}

export interface Following {
  /** The position after which it begins: of a list or of an event. Now by default. */
  after?: string;
  /** Ends the stream. */
  signal: AbortSignal;
  /** How often the session or API key is checked, in milliseconds. Events or beats are sent at least this often. */
  checkMs?: number;
}

const CHECK_MS = 5_000;

/** Streams don't resume from older positions: the list is loaded again. */
const RESUMES_MS = 10 * 60_000;

/**
 * The changes of a list from a position on, until the session or API key ends. Each change is sent once.
 * @throws BAD_INPUT at once if the position is not valid
 */
function followChanges<Changes>(
  platform: Platform,
  watch: Watch,
  agent: Agent,
  list: LiveList<Changes>,
  { after, signal, checkMs = CHECK_MS }: Following,
): AsyncGenerator<LiveEvent<Changes>> {
  const start = after === undefined ? undefined : readCursor(after);
  return follow(platform, watch, agent, list, { start, signal, checkMs });
}

interface Followed extends Required<Omit<Following, "after">> {
  start: Cursor | undefined;
}

async function* follow<Changes>(
  platform: Platform,
  watch: Watch,
  agent: Agent,
  list: LiveList<Changes>,
  { start, signal, checkMs }: Followed,
): AsyncGenerator<LiveEvent<Changes>> {
  const subscription = await watch(list.key);
  try {
    const first = await catchUp(platform, list, start);
    let shown = first.cursor;
    yield await describe(list, first);
    let checkedAt = Date.now();
    while (!signal.aborted) {
      const delta = await subscription.next(checkMs, signal);
      if (signal.aborted) return;
      // Nobody could look. A beat would say that nothing changed.
      if (delta === undefined) continue;
      if (Date.now() - checkedAt >= checkMs) {
        if (!(await mayStillRead(platform, agent, list))) return yield { event: "end" };
        checkedAt = Date.now();
      }
      const before = shown;
      if (delta.cursor.at > shown.at) shown = delta.cursor;
      const changes = delta.changes.filter(({ transaction }) => !isShown(before, transaction));
      yield await describe(list, { cursor: shown, changes, more: delta.more });
    }
  } finally {
    subscription.end();
  }
}

async function catchUp<Changes>(
  { pool }: Platform,
  { source, key }: LiveList<Changes>,
  start: Cursor | undefined,
): Promise<Delta> {
  const now = await selectCursor(pool);
  if (start === undefined) return { cursor: now, changes: [], more: false };
  if (Math.abs(now.at - start.at) > RESUMES_MS) return { cursor: now, changes: [], more: true };
  const { cursor, changes } = await source.select(pool, [key], start);
  const more = changes.length > source.most;
  return { cursor, changes: more ? [] : changes, more };
}

async function describe<Changes>(
  list: LiveList<Changes>,
  { cursor, changes, more }: Delta,
): Promise<LiveEvent<Changes>> {
  const id = writeCursor(cursor);
  const ids = changes.map((change) => change.id);
  const data = ids.length === 0 && !more ? undefined : await list.describe(ids, more);
  return data === undefined ? { event: "beat", id } : { event: "changes", id, data };
}

async function mayStillRead<Changes>(
  platform: Platform,
  agent: Agent,
  { mayRead }: LiveList<Changes>,
): Promise<boolean> {
  if ("apiKeyId" in agent) return isActiveKey(platform.db, agent.apiKeyId);
  // The user may have switched to another organization in another tab. This list is still of its page's.
  const actor = await readActor(platform, agent.sessionId, agent.organization.id);
  return actor !== undefined && isMember(actor) && mayRead(actor);
}

/** Server-sent events, as web and gateway write them. */
export interface ServerEvent {
  event: string;
  id?: string;
  data?: unknown;
}

export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // No proxy may collect or compress what has to arrive at once.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/** JSON has no line breaks, which would end the data. */
export function writeEvent({ event, id, data }: ServerEvent): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data ?? null)}\n\n`;
}
