/** The limits of each class of the gateway's work: each has its own places and turns. */
import { Problem } from "@/lib/contract/platform/problem";
import type { Environment } from "@/lib/server/platform/environment";
import { divideByPeers } from "@/lib/server/platform/part-beats";
import type { Refusal, ShareLimits } from "@/lib/server/platform/requests/share";
import type { WorkClass } from "@/lib/server/surface/api/routes/route";

/** The name of a class's requests in refusals. */
const CLASS_NAMES: Record<WorkClass, string> = {
  state: "state reads",
  calls: "calls",
  events: "events",
  endpoints: "requests to endpoints",
  uploads: "uploads",
  streams: "streams",
  other: "requests",
};

/** In longer queues, requests would wait only to be refused in the end. Uploads and streams never wait for a place: each takes minutes. */
const LONGEST_WAIT_MS: Record<WorkClass, number> = {
  state: 300,
  calls: 300,
  events: 300,
  endpoints: 300,
  uploads: 0,
  streams: 0,
  other: 300,
};

/** What protects a gateway is its own limit. What bounds an organization is divided between the gateways. */
export function limitsOf(name: WorkClass, environment: Environment): ShareLimits & { perKey: () => number } {
  const { total, each } = {
    state: environment.PLATFORM_SHARE_STATE,
    calls: environment.PLATFORM_SHARE_CALLS,
    events: environment.PLATFORM_SHARE_EVENTS,
    endpoints: environment.PLATFORM_SHARE_ENDPOINTS,
    uploads: environment.PLATFORM_SHARE_UPLOADS,
    streams: environment.PLATFORM_SHARE_STREAMS,
    other: environment.PLATFORM_SHARE_OTHER,
  }[name];
  const longestWaitMs = LONGEST_WAIT_MS[name];
  const [queue, queuePerKey] = longestWaitMs === 0 ? [0, 0] : [total, Math.ceil(each / 2)];
  return { total, perKey: () => divideByPeers(each), queue, queuePerKey, longestWaitMs };
}

/** Whose limit a request exceeds, in words, and how many requests it allows at once. */
export interface Limit {
  whose: "Your organization" | "Your address" | "This tenant";
  most: number;
}

/** In a flood, building errors costs more than everything else, so each of these few is built only once. */
const known = new Map<string, Problem>();

/**
 * 429 if the caller's own share is used up, 503 if the platform is busy with others. @param limit undefined if the request waited
 * too long for a turn: callers don't have a fixed number of those
 */
export function explainRefusal(
  work: WorkClass,
  limit: Limit | undefined,
  { full, retryAfterSeconds }: Refusal,
): Problem {
  const what = CLASS_NAMES[work];
  if (limit === undefined || full === "total") return overloaded(what, retryAfterSeconds);
  const { whose, most } = limit;
  const detail = `${whose} has ${most} ${what} in progress, the most that the platform handles for it at once. Wait for some of them to finish, then try again.`;
  return recall("TOO_MANY_REQUESTS", detail, retryAfterSeconds);
}

export function overloaded(what: string, retryAfterSeconds: number): Problem {
  const detail = `The platform is busy with ${what} from many callers. Nothing is wrong with your request. Try again in a moment.`;
  return recall("OVERLOADED", detail, retryAfterSeconds);
}

function recall(code: "TOO_MANY_REQUESTS" | "OVERLOADED", detail: string, seconds: number): Problem {
  const name = `${code} ${detail} ${seconds}`;
  const problem = known.get(name) ?? new Problem(code, detail, [], seconds);
  known.set(name, problem);
  return problem;
}
