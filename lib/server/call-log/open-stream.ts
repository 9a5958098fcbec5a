import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { type CallEvent, type CallStream, streamCalls } from "./stream-calls";
import { createWatch, type Watch } from "./tail/watch-changes";

/** A user's open pages. A browser opens six connections to a host at most, so more would be useless. */
const MOST_PER_USER = 6;

/** In one process. */
const MOST_STREAMS = 500;

interface Streams {
  watch: Watch;
  byUser: Map<string, number>;
  open: Set<AbortController>;
}

const streamsByPlatform = new WeakMap<Platform, Streams>();

/** The live lists of this process. They end when it is asked to, because a drain would wait for them. */
function streamsOf(platform: Platform): Streams {
  const known = streamsByPlatform.get(platform);
  if (known !== undefined) return known;
  const streams: Streams = { watch: createWatch(platform), byUser: new Map(), open: new Set() };
  streamsByPlatform.set(platform, streams);
  const endAll = () => streams.open.forEach((stream) => stream.abort());
  process.once("SIGTERM", endAll).once("SIGINT", endAll);
  return streams;
}

/**
 * Follows calls as `streamCalls` does, and counts.
 * @throws TOO_MANY_REQUESTS if the user has too many open; UNAVAILABLE if the process has; and as `streamCalls`
 */
export async function openStream(
  platform: Platform,
  member: Member,
  { signal, ...stream }: CallStream,
): Promise<AsyncGenerator<CallEvent>> {
  const { watch, byUser, open } = streamsOf(platform);
  const own = byUser.get(member.userId) ?? 0;
  if (own >= MOST_PER_USER)
    throw new Problem(
      "TOO_MANY_REQUESTS",
      `You have ${own} live lists of calls open. Close one, or pause its live updates.`,
    );
  if (open.size >= MOST_STREAMS)
    throw new Problem(
      "UNAVAILABLE",
      "Too many live lists are open. The list still updates when you reload it.",
    );
  const ended = new AbortController();
  const leave = () => {
    open.delete(ended);
    const left = (byUser.get(member.userId) ?? 1) - 1;
    if (left === 0) byUser.delete(member.userId);
    else byUser.set(member.userId, left);
  };
  byUser.set(member.userId, own + 1);
  open.add(ended);
  try {
    const events = await streamCalls(platform, watch, member, {
      ...stream,
      signal: AbortSignal.any([signal, ended.signal]),
    });
    return release(events, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

async function* release<Each>(values: AsyncGenerator<Each>, leave: () => void): AsyncGenerator<Each> {
  try {
    yield* values;
  } finally {
    leave();
  }
}
