import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@/lib/contract/platform/problem";
import type { Environment } from "@/lib/server/platform/environment";
import { databaseProblem, isKnownAway } from "@/lib/server/platform/database/availability";
import type { Platform } from "@/lib/server/platform/platform";
import { KEEP_ALIVE_MS } from "@/lib/server/platform/requests/drain-servers";
import { toNetwork } from "@/lib/server/platform/requests/read-request";
import { createShare } from "@/lib/server/platform/requests/share";
import type { GatewayRoute } from "@/lib/server/surface/api/all-routes";
import type { WorkClass } from "@/lib/server/surface/api/routes/route";
import { chargeBody } from "./admission/admit-request";
import { answerError } from "./answer-error";
import { createRouteFinder } from "./find-route";
import { type SharedGateway, shareGateway } from "./share-gateway";

const NO_SEARCH = new URLSearchParams();

/** Uploads of images may take long. `deploy/nginx.conf` waits as long. */
export const REQUEST_TIMEOUT_MS = 1_800_000;

/**
 * The gateway's server, which the caller must make listen.
 * @param only selects some of the routes
 * @param shared with the gateway's other listeners
 * @param isDirect no proxy stands in front of this listener, whatever is in front of the others: `X-Forwarded-For` is the client's own
 */
export function createGateway(
  platform: Platform,
  only: (name: GatewayRoute) => boolean = () => true,
  shared: SharedGateway = shareGateway(platform),
  isDirect = false,
): Server {
  const find = createRouteFinder(only);
  const { admission, drain, pace, platforms } = shared;
  const security = listSecurityHeaders(platform.environment);
  // Bodies have their own deadlines.
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 16_384,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      if (isDirect) delete request.headers["x-forwarded-for"];
      drain.track(response);
      for (const [name, value] of security) response.setHeader(name, value);
      void serve(request, response);
    },
  );
  server.on("connection", admission.noteConnection);
  const checkConnection = limitConnections(server, platform.environment, isDirect);
  return server;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let isAdmitted = false;
    let work: WorkClass | undefined;
    try {
      const address = request.url ?? "/";
      const end = address.indexOf("?");
      const path = end === -1 ? address : address.slice(0, end);
      const { route, parts } = find(request.method ?? "", path);
      work = route.work;
      checkConnection(request);
      const waiting = admission.admit(route, parts, { request, response });
      if (waiting !== undefined) await waiting;
      isAdmitted = true;
      await route.handle({
        platform: platforms.get(route.work) ?? platform,
        request,
        response,
        parts,
        search: end === -1 ? NO_SEARCH : new URLSearchParams(address.slice(end)),
        isDraining: drain.isDraining(),
        chargeBody,
      });
    } catch (error) {
      // An admitted request has a place, which a delayed refusal would keep from others.
      const holdMs = !isAdmitted && isBusy(error) ? pace() : 0;
      if (holdMs > 0) await sleep(holdMs);
      // Requests in progress pile up because the database is away. Their callers didn't send too many.
      const isCaused = !isAdmitted && isBusy(error) && isKnownAway(platform.pool);
      answerError(platform, request, response, isCaused ? databaseProblem() : error, work);
    }
  }
}

/** Browsers that came by HTTPS once never use plain HTTP again, and take no answer for another type than it says. */
function listSecurityHeaders({ PLATFORM_GATEWAY_URL }: Environment): [string, string][] {
  const headers: [string, string][] = [["x-content-type-options", "nosniff"]];
  if (PLATFORM_GATEWAY_URL.startsWith("https:"))
    headers.push(["strict-transport-security", "max-age=31536000"]);
  return headers;
}

function isBusy(error: unknown): boolean {
  return error instanceof Problem && (error.status === 429 || error.status === 503);
}

/** How many connections the system queues for a process that is slow to accept them. Linux allows no more than `somaxconn`, 4096 by default. */
export const BACKLOG = 4_096;

/**
 * Counts a server's connections. Connections above the limit are accepted and get a refusal as the answer to their first request,
 * because clients would mistake a reset for a failure of the platform. Above twice the limit, connections are closed.
 * @returns what throws TOO_MANY_REQUESTS or OVERLOADED for a request on such a connection
 */
function limitConnections(
  server: Server,
  { PLATFORM_SHARE_CONNECTIONS: { total, each }, PLATFORM_BEHIND_PROXY }: Environment,
  isDirect: boolean,
): (request: IncomingMessage) => void {
  // Behind a proxy, all connections come from the proxy's address.
  const perKey = PLATFORM_BEHIND_PROXY && !isDirect ? total : each;
  const share = createShare({ total, perKey, queue: 0, queuePerKey: 0, longestWaitMs: 0 });
  const refused = new WeakMap<Socket, Problem>();
  server.maxConnections = 2 * total;
  server.on("connection", (socket) => {
    const place = share.tryEnter(toNetwork(socket.remoteAddress ?? ""));
    if ("leave" in place) socket.once("close", place.leave);
    else refused.set(socket, explain(place.full, perKey, place.retryAfterSeconds));
  });
  return ({ socket }) => {
    const problem = refused.get(socket);
    if (problem !== undefined) throw problem;
  };
}

function explain(full: "key" | "total", most: number, seconds: number): Problem {
  if (full === "total")
    return new Problem(
      "OVERLOADED",
      "The platform has too many open connections. Try again in a moment.",
      [],
      seconds,
    );
  const detail = `Your address has ${most} open connections to this gateway, which is the limit. Close some, or send requests one after another on the same connection.`;
  return new Problem("TOO_MANY_REQUESTS", detail, [], seconds);
}
