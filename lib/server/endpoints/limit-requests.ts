/** Limits what anyone can ask of an endpoint, in this process: how often, and how much at once. */
import { Problem } from "@/lib/contract/problem";
import { toNetwork } from "../limits/network";
import { createShare } from "../limits/share";

interface Rate {
  perSecond: number;
  burst: number;
}

/** Of all callers of one installation's public endpoints. */
const PER_INSTALLATION: Rate = { perSecond: 50, burst: 200 };
/** Of one client address, for one installation. */
const PER_ADDRESS: Rate = { perSecond: 5, burst: 40 };
/** Requests of one installation in progress, so that an app that hangs does not use up the gateway's capacity. */
const AT_ONCE = 32;

const inProgress = createShare({
  total: Infinity,
  perKey: AT_ONCE,
  queue: 0,
  queuePerKey: 0,
  longestWaitMs: 0,
});

const KNOWN_ADDRESSES = 20_000;

interface Bucket {
  tokens: number;
  at: number;
}

const buckets = new Map<string, Bucket>();

/** Counts a request from an address. Throws TOO_MANY_REQUESTS. */
export function countRequest(installationId: string, address: string, now = performance.now()): void {
  // The address first, so that one client cannot use up the tokens of all others.
  const allowed =
    takeToken(`${installationId} ${toNetwork(address)}`, PER_ADDRESS, now) &&
    takeToken(installationId, PER_INSTALLATION, now);
  if (!allowed)
    throw new Problem("TOO_MANY_REQUESTS", "Too many requests to this endpoint. Try again in a few seconds.");
}

/** Returns a function that ends the request, however often it is called. Throws TOO_MANY_REQUESTS. */
export function beginRequest(installationId: string): () => void {
  const entry = inProgress.tryEnter(installationId);
  if ("leave" in entry) return entry.leave;
  const detail = `This app is busy with ${AT_ONCE} other requests. Try again in a few seconds.`;
  throw new Problem("TOO_MANY_REQUESTS", detail, [], entry.retryAfterSeconds);
}

function takeToken(name: string, { perSecond, burst }: Rate, now: number): boolean {
  const bucket = buckets.get(name) ?? { tokens: burst, at: now };
  const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
  const allowed = tokens >= 1;
  // At the end again: a map keeps its order, so the first entries are those that were used least recently.
  buckets.delete(name);
  buckets.set(name, { tokens: allowed ? tokens - 1 : tokens, at: now });
  const [oldest] = buckets.keys();
  if (buckets.size > KNOWN_ADDRESSES && oldest !== undefined) buckets.delete(oldest);
  return allowed;
}
