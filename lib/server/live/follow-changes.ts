import { isMember, type Agent } from "@/lib/domain/actor";
import { isActiveKey } from "../api-keys/queries";
import { readActor } from "../identity/sessions";
import type { Platform } from "../platform/platform";
import { type Cursor, isShown, readCursor, writeCursor } from "./cursor";
import { selectCursor } from "./queries";
import type { Delta, Source, Watch } from "./watch-changes";

/**
 * `changes`: what changed. `beat`: nothing did, and the session or API key is still active. `end`: it has ended, and reconnecting is useless.
 * `id` is the position to resume from.
 */
export type LiveEvent<Changes> =
  { event: "changes"; id: string; data: Changes } | { event: "beat"; id: string } | { event: "end" };

/** A list that is kept up to date. */
export interface LiveList<Changes> {
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
export function followChanges<Changes>(
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
      if (Date.now() - checkedAt >= checkMs) {
        if (!(await mayStillRead(platform, agent, list))) return yield { event: "end" };
        checkedAt = Date.now();
      }
      const before = shown;
      if (delta !== undefined && delta.cursor.at > shown.at) shown = delta.cursor;
      const changes = delta?.changes.filter(({ transaction }) => !isShown(before, transaction)) ?? [];
      yield await describe(list, { cursor: shown, changes, more: delta?.more === true });
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
  const actor = await readActor(platform, agent.sessionId);
  return (
    actor !== undefined &&
    isMember(actor) &&
    actor.organization.id === agent.organization.id &&
    mayRead(actor)
  );
}
