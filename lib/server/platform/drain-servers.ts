import type { Server } from "node:http";

/**
 * How long an idle connection stays open, in milliseconds. Load balancers usually close theirs after 60 s: if the server
 * closed one first, a request that was just sent on it would fail.
 */
export const KEEP_ALIVE_MS = 75_000;

/** Accepts no more connections. Resolves when all requests in progress are answered, or are cut off after `limitMs`. */
export async function drainServers(servers: readonly Server[], limitMs: number): Promise<void> {
  const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  for (const server of servers) {
    // From now on, a connection ends with the response to its request.
    server.keepAliveTimeout = 1;
    server.closeIdleConnections();
  }
  const timer = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), limitMs);
  await closed;
  clearTimeout(timer);
}
