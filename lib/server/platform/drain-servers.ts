import type { Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";

/**
 * How long an idle connection stays open, in milliseconds. Load balancers usually close theirs after 60 s: if the server
 * closed one first, a request that was just sent on it would fail.
 */
export const KEEP_ALIVE_MS = 75_000;

/**
 * How long a connection that is idle stays open then. A client that sends a request in that time gets its response; if the
 * connection was closed at once, the request could meet the end of it on its way.
 */
const LINGER_MS = 1_000;

/** Accepts no more connections. Resolves when all requests in progress are answered, or are cut off after `limitMs`. */
export async function drainServers(servers: readonly Server[], limitMs: number): Promise<void> {
  const closed = Promise.all(servers.map(stopAccepting));
  const linger = setTimeout(
    () => servers.forEach((server) => server.closeIdleConnections()),
    Math.min(LINGER_MS, limitMs / 2),
  );
  const limit = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), limitMs);
  await closed;
  clearTimeout(linger);
  clearTimeout(limit);
}

function stopAccepting(server: Server): Promise<unknown> {
  // From now on, a connection ends with the response to its request, and the client is told so where it still can be.
  server.keepAliveTimeout = 1;
  server.prependListener("request", (_request, response: ServerResponse) => {
    response.setHeader("connection", "close");
  });
  // The HTTP server's own `close` would close idle connections at once.
  return new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
}
