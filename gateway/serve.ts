import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Problem } from "@/lib/contract/problem";
import { GATEWAY_POLICY, type GatewayRoute } from "@/lib/domain/policy";
import { KEEP_ALIVE_MS } from "@/lib/server/platform/drain-servers";
import type { Platform } from "@/lib/server/platform/platform";
import { answerError } from "./answer";
import { serveRoute } from "./handlers";

/** Requests handled at once. Beyond that, callers are asked to try again. */
const MAX_IN_FLIGHT = 512;

interface Pattern {
  route: GatewayRoute;
  method: string;
  path: RegExp;
}

const PATTERNS = Object.keys(GATEWAY_POLICY).filter(isGatewayRoute).map(compile);

function isGatewayRoute(name: string): name is GatewayRoute {
  return name in GATEWAY_POLICY;
}

function compile(route: GatewayRoute): Pattern {
  const [method = "", path = ""] = route.split(" ");
  const source = path
    .replace(/<\w+\.\.\.>/g, "<rest>")
    .replace(/[.]/g, "\\.")
    .replace("<rest>", "(.*)")
    .replace(/<\w+>/g, "([^/]+)");
  // Accept a doubled first slash, because apps may append the path to an origin that ends with one.
  return { route, method, path: new RegExp(`^/{1,2}${source.slice(1)}$`) };
}

/** The gateway's server, which the caller must make listen. @param only selects some of the routes */
export function createGateway(
  platform: Platform,
  only: (route: GatewayRoute) => boolean = () => true,
): Server {
  const patterns = PATTERNS.filter((pattern) => only(pattern.route));
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
          : dispatch(platform, patterns, request, response);
      handled.catch((error: unknown) => answerError(platform, request, response, error));
    },
  );
}

async function dispatch(
  platform: Platform,
  patterns: Pattern[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const address = request.url ?? "/";
  const end = address.indexOf("?");
  const path = end === -1 ? address : address.slice(0, end);
  const matches = patterns.filter((pattern) => pattern.path.test(path));
  if (matches.length === 0) throw new Problem("NOT_FOUND");
  const found = matches.find(({ method }) => method === request.method || method === "ANY");
  if (found === undefined)
    throw new Problem("WRONG_METHOD", `Use ${matches.map((pattern) => pattern.method).join(" or ")} here.`);
  const parts = found.path.exec(path)?.slice(1) ?? [];
  const query = new URLSearchParams(end === -1 ? "" : address.slice(end));
  await serveRoute(found.route, { platform, request, response, parts, query });
}
