import { Problem } from "@/lib/contract/problem";
import { nameActor, type Agent } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { followChanges, type Following, type LiveEvent, type LiveList } from "./follow-changes";
import { createWatch, type Source, type Watch } from "./watch-changes";

/** Of a user's pages, or of an API key. A browser opens six connections to a host at most, so more would be useless. */
const MOST_EACH = 6;

/** In one process. */
const MOST_STREAMS = 500;

interface Streams {
  watches: Map<Source, Watch>;
  byReader: Map<string, number>;
  open: Set<AbortController>;
}

const streamsByPlatform = new WeakMap<Platform, Streams>();

/** The live lists of this process. They end when it is asked to, because a drain would wait for them. */
function streamsOf(platform: Platform): Streams {
  const known = streamsByPlatform.get(platform);
  if (known !== undefined) return known;
  const streams: Streams = { watches: new Map(), byReader: new Map(), open: new Set() };
  streamsByPlatform.set(platform, streams);
  const endAll = () => streams.open.forEach((stream) => stream.abort());
  process.once("SIGTERM", endAll).once("SIGINT", endAll);
  return streams;
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
  const { watches, byReader, open } = streamsOf(platform);
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
