import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@/lib/contract/problem";
import type { GatewayRoute } from "@/lib/domain/policy";
import { KEEP_ALIVE_MS } from "@/lib/server/platform/drain-servers";
import type { Platform } from "@/lib/server/platform/platform";
import { classify } from "./admission/work-class";
import { answerError } from "./answer";
import { createRouteFinder } from "./find-route";
import { serveRoute } from "./handlers";
import { limitConnections } from "./limit-connections";
import { shareGateway, type SharedGateway } from "./share-gateway";

const NO_QUERY = new URLSearchParams();

/**
 * The gateway's server, which the caller must make listen.
 * @param only selects some of the routes
 * @param shared with the gateway's other listeners
 */
export function createGateway(
  platform: Platform,
  only: (route: GatewayRoute) => boolean = () => true,
  shared: SharedGateway = shareGateway(platform),
): Server {
  const find = createRouteFinder(only);
  const { admission, drain, pace, platforms } = shared;
  // Uploading a bundle may take long, so bodies have their own deadlines.
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 1_800_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 16_384,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      drain.track(response);
      void serve(request, response);
    },
  );
  server.on("connection", admission.noteConnection);
  const checkConnection = limitConnections(server, platform.environment);
  return server;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let isAdmitted = false;
    try {
      const address = request.url ?? "/";
      const end = address.indexOf("?");
      const path = end === -1 ? address : address.slice(0, end);
      const { route, parts } = find(request.method ?? "", path);
      checkConnection(request);
      const waiting = admission.admit(route, parts, { request, response });
      if (waiting !== undefined) await waiting;
      isAdmitted = true;
      const query = end === -1 ? NO_QUERY : new URLSearchParams(address.slice(end));
      const own = platforms.get(classify(route)) ?? platform;
      const isDraining = drain.isDraining();
      await serveRoute(route, { platform: own, request, response, parts, query, isDraining });
    } catch (error) {
      // An admitted request has a place, which a delayed refusal would keep from others.
      const holdMs = !isAdmitted && isBusy(error) ? pace() : 0;
      if (holdMs > 0) await sleep(holdMs);
      answerError(platform, request, response, error);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Problem && (error.status === 429 || error.status === 503);
}
