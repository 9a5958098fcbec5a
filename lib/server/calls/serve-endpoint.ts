import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import {
  allowsMethod,
  explainMissingEndpoint,
  findEndpoint,
  requireMethod,
  requirePlainPath,
} from "@/lib/domain/catalog/manifest/endpoint";
import { authenticateCore } from "../accounts/credentials/authenticate-core";
import { divideByPeers } from "../platform/part-beats";
import type { Platform } from "../platform/platform";
import { toNetwork } from "../platform/requests/read-request";
import { createShare } from "../platform/requests/share";
import { callEndpoint, type EndpointAnswer, type EndpointRequest } from "./call-endpoint";
import { selectServedEndpoints, type ServedEndpoint } from "./endpoint-queries";

/**
 * Serves a request to an installation's endpoint. Unknown, stopped, closed and foreign ones look the same. Throws BAD_PATH,
 * NOT_FOUND, WRONG_CREDENTIALS, WRONG_METHOD, TOO_MANY_REQUESTS, TOO_LARGE, and what the app's failure is.
 * @param address of the client
 */
export async function serveEndpoint(
  platform: Platform,
  request: EndpointRequest,
  address: string,
): Promise<EndpointAnswer> {
  const endpoint = await requireEndpoint(platform, request);
  if (endpoint.access === "public") countRequest(endpoint.installationId, address);
  const end = beginRequest(endpoint.installationId);
  try {
    return await callEndpoint(platform, endpoint, request, end);
  } catch (error) {
    end();
    throw error;
  }
}

async function requireEndpoint(platform: Platform, request: EndpointRequest): Promise<ServedEndpoint> {
  const { routeBase, path, query, method, headers } = request;
  requirePlainPath(path, query);
  const endpoint = await findServed(platform, routeBase, path);
  const missing = new Problem("NOT_FOUND", explainMissing(method, path));
  if (endpoint === undefined) throw missing;
  if (endpoint.access !== "public") {
    const core = await authenticateCore(platform, readText(headers.authorization));
    if (core.tenantId !== endpoint.tenantId) throw missing;
  } else if (endpoint.openedAt === null) throw missing;
  requireMethod(endpoint.methods, method);
  return endpoint;
}

async function findServed(
  { db }: Platform,
  routeBase: string,
  path: string,
): Promise<ServedEndpoint | undefined> {
  return findEndpoint(isId(routeBase) ? await selectServedEndpoints(db, routeBase) : [], path);
}

function explainMissing(method: string, path: string): string {
  const isCall = path === "/" && method === "POST";
  const call = isCall ? " A core calls a route at /r/<routeId>, without a slash at the end." : "";
  return explainMissingEndpoint(method, path) + call;
}

function readText(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}

/** Whether anyone can open the app's page at `/` now. */
export async function hasRootPage(platform: Platform, routeBase: string): Promise<boolean> {
  const root = await findServed(platform, routeBase, "/");
  return root?.access === "public" && root.openedAt !== null && allowsMethod(root.methods, "GET");
}

/** What anyone can ask of an endpoint, of all gateways together. */
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
  perKey: () => divideByPeers(AT_ONCE),
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
  const detail = `This app is busy with ${divideByPeers(AT_ONCE)} other requests. Try again in a few seconds.`;
  throw new Problem("TOO_MANY_REQUESTS", detail, [], entry.retryAfterSeconds);
}

function takeToken(name: string, rate: Rate, now: number): boolean {
  const [perSecond, burst] = [divideByPeers(rate.perSecond), divideByPeers(rate.burst)];
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
