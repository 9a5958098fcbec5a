import { unknownKey } from "@/lib/domain/unknown-key";
import { openStateKey, type StateKeyContent } from "../keys/state-key";
import type { Platform } from "../platform/platform";
import { createBriefCache, type BriefCache } from "./brief-cache";
import { readOpened } from "./read-state";
import { noteStateRead } from "./record-state-reads";

/** A stop must end all keys within one second, through every gateway: an answer is used again for half of that. */
const LIFE_MS = 500;
const MAX_ENTRIES = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

interface Answer {
  content: StateKeyContent;
  /** JSON; undefined if the key is revoked. */
  text: Promise<string | undefined>;
}

const caches = new WeakMap<Platform, BriefCache<Answer>>();

/**
 * The state record behind a key, as JSON text: one customer's settings, mappings, addresses and a token for this call. Reads
 * of one key within a moment share an answer. Throws the same NOT_FOUND for a malformed, foreign, expired or revoked key.
 */
export async function serveState(platform: Platform, key: string): Promise<string> {
  const answer = findAnswer(platform, key);
  const text = await answer?.text;
  if (answer === undefined || text === undefined) throw unknownKey();
  noteStateRead(platform, answer.content);
  return text;
}

/** Undefined for keys that do not open: a guess costs no query, and no place in the cache. */
function findAnswer(platform: Platform, key: string): Answer | undefined {
  const cache = cacheOf(platform);
  const known = cache.get(key);
  if (known !== undefined) return known.content.expiresAt.getTime() > Date.now() ? known : undefined;
  const content = openStateKey(platform.keyring, key);
  if (content === undefined) return undefined;
  const text = readOpened(platform, content).then((record) => record && JSON.stringify(record));
  const answer = { content, text };
  // Its life begins before the query: what it found can be no older.
  cache.set(key, answer);
  text.then(
    (found = "") => cache.grow(found.length),
    () => cache.delete(key),
  );
  return answer;
}

function cacheOf(platform: Platform): BriefCache<Answer> {
  let cache = caches.get(platform);
  if (cache === undefined) {
    cache = createBriefCache({ lifeMs: LIFE_MS, maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES });
    caches.set(platform, cache);
  }
  return cache;
}
