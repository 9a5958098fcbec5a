import type { StateRecord } from "@/lib/contract/catalog/configuration";
import type { TraceContext } from "@/lib/domain/calls/trace";
import { unknownKey } from "@/lib/domain/calls/explain-answer";
import { isAskedThroughGuard, nameCoreUrl } from "@/lib/domain/platform/guarded-app";
import type { Platform } from "../platform/platform";
import { openStateKey, type StateKeyContent } from "../platform/state-key";
import { STATE_READS } from "./call-metrics";
import { traceStateRead } from "./call-traces";

/** A stop must end all keys within one second, through every gateway: an answer is used again for half of that. */
const LIFE_MS = 500;
const MAX_ENTRIES = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

const SERVED = { result: "served" };
const REFUSED = { result: "refused" };

interface Answer {
  content: StateKeyContent;
  /** Undefined if the key is revoked. */
  texts: Promise<Texts | undefined>;
}

/** The record as JSON. Mostly, both are the same. */
interface Texts {
  open: string;
  /** For an app behind the egress guard, which reaches names only. */
  guarded: string;
}

declare module "../platform/platform" {
  interface Services {
    stateAnswers: BriefCache<Answer>;
  }
}

export function createStateAnswers(): BriefCache<Answer> {
  return createBriefCache({ lifeMs: LIFE_MS, maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES });
}

/**
 * The state record behind a key, as JSON text: one customer's settings, mappings, addresses and a token for this call. Reads
 * of one key within a moment share an answer. Throws the same NOT_FOUND for a malformed, foreign, expired or revoked key.
 * @param host of the request, which tells whether the app is behind the egress guard
 */
export async function serveState(
  platform: Platform,
  key: string,
  { trace, host }: { trace?: TraceContext | undefined; host?: string | undefined } = {},
): Promise<string> {
  const startedMs = performance.now();
  const answer = findAnswer(platform, key);
  const texts = await answer?.texts;
  const isServed = answer !== undefined && texts !== undefined;
  platform.metrics.add(STATE_READS, isServed ? SERVED : REFUSED);
  if (!isServed) throw unknownKey();
  traceStateRead(platform.traces, answer.content.attemptId, trace, startedMs);
  platform.services.stateReads.note(answer.content);
  return isAskedThroughGuard(host) ? texts.guarded : texts.open;
}

function toTexts(record: StateRecord): Texts {
  const open = JSON.stringify(record);
  const coreApiUrl = nameCoreUrl(record.coreApiUrl);
  return {
    open,
    guarded: coreApiUrl === record.coreApiUrl ? open : JSON.stringify({ ...record, coreApiUrl }),
  };
}

/** Undefined for keys that do not open: a guess costs no query, and no place in the cache. */
function findAnswer({ keyring, services }: Platform, key: string): Answer | undefined {
  const cache = services.stateAnswers;
  const known = cache.get(key);
  if (known !== undefined) return known.content.expiresAt.getTime() > Date.now() ? known : undefined;
  const content = openStateKey(keyring, key);
  if (content === undefined) return undefined;
  const texts = services.stateReader.read(content).then((record) => record && toTexts(record));
  const answer = { content, texts };
  // Its life begins before the query: what it found can be no older.
  cache.set(key, answer);
  texts.then(
    (found) => cache.grow(found === undefined ? 0 : sizeOf(found)),
    () => cache.delete(key),
  );
  return answer;
}

function sizeOf({ open, guarded }: Texts): number {
  return open === guarded ? open.length : open.length + guarded.length;
}

/**
 * A cache of secrets for a moment. An entry is found for `lifeMs`, and is let go of soon after, whether or not anyone asks
 * again: entries live in two generations, and dropping one is dropping a map, without a timer for each entry.
 */
interface BriefCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  /** Says how large an entry has become, so that all entries together stay within `maxBytes`. */
  grow(bytes: number): void;
  delete(key: string): void;
  clear(): void;
}

interface Limits {
  lifeMs: number;
  maxEntries: number;
  maxBytes: number;
  now?: () => number;
}

export function createBriefCache<Value>({
  lifeMs,
  maxEntries,
  maxBytes,
  now = () => performance.now(),
}: Limits): BriefCache<Value> {
  let young = new Map<string, { value: Value; addedAt: number }>();
  let old: typeof young = new Map();
  let youngBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function turn(): void {
    old = young;
    young = new Map();
    youngBytes = 0;
    if (old.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    get: (key) => {
      const found = young.get(key) ?? old.get(key);
      // The timer is late when the process is busy.
      return found !== undefined && now() - found.addedAt < lifeMs ? found.value : undefined;
    },
    set: (key, value) => {
      if (young.size >= maxEntries / 2) turn();
      young.set(key, { value, addedAt: now() });
      timer ??= setInterval(turn, lifeMs / 2).unref();
    },
    grow: (bytes) => {
      youngBytes += bytes;
      if (youngBytes > maxBytes / 2) turn();
    },
    delete: (key) => {
      young.delete(key);
      old.delete(key);
    },
    clear: () => {
      turn();
      turn();
    },
  };
}
