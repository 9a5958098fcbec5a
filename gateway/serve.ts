import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Problem } from "@/lib/contract/problem";
import type { GatewayRoute } from "@/lib/domain/policy";
import { KEEP_ALIVE_MS } from "@/lib/server/platform/drain-servers";
import type { Platform } from "@/lib/server/platform/platform";
import { answerError } from "./answer";
import { createRouteFinder, type RouteFinder } from "./find-route";
import { serveRoute } from "./handlers";

/** Requests handled at once. Beyond that, callers are asked to try again. */
const MAX_IN_FLIGHT = 512;

/** The gateway's server, which the caller must make listen. @param only selects some of the routes */
export function createGateway(
  platform: Platform,
  only: (route: GatewayRoute) => boolean = () => true,
): Server {
  const find = createRouteFinder(only);
  let inFlight = 0;
  // Uploading a bundle may take long, so bodies have their own deadlines.
  return createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 1_800_000,
      maxHeaderSize: 16_384,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      inFlight += 1;
      response.once("close", () => (inFlight -= 1));
      const handled =
        inFlight > MAX_IN_FLIGHT
          ? Promise.reject(new Problem("UNAVAILABLE", "Too many requests at once. Try again in a moment."))
          : dispatch(platform, find, request, response);
      handled.catch((error: unknown) => answerError(platform, request, response, error));
    },
  );
}

async function dispatch(
  platform: Platform,
  find: RouteFinder,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const address = request.url ?? "/";
  const end = address.indexOf("?");
  const path = end === -1 ? address : address.slice(0, end);
  const { route, parts } = find(request.method ?? "", path);
  const query = new URLSearchParams(end === -1 ? "" : address.slice(end));
  await serveRoute(route, { platform, request, response, parts, query });
}
