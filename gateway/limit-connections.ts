import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { Problem } from "@/lib/contract/problem";
import { toNetwork } from "@/lib/server/limits/network";
import { createShare } from "@/lib/server/limits/share";
import type { Environment } from "@/lib/server/platform/environment";

/** How many connections the system queues for a process that is slow to accept them. Linux allows no more than `somaxconn`, 4096 by default. */
export const BACKLOG = 4_096;

/**
 * Counts a server's connections. Connections above the limit are accepted and get a refusal as the answer to their first request,
 * because clients would mistake a reset for a failure of the platform. Above twice the limit, connections are closed.
 * @returns what throws TOO_MANY_REQUESTS or OVERLOADED for a request on such a connection
 */
export function limitConnections(
  server: Server,
  { PLATFORM_SHARE_CONNECTIONS: { total, each }, PLATFORM_BEHIND_PROXY }: Environment,
): (request: IncomingMessage) => void {
  // Behind a proxy, all connections come from the proxy's address.
  const perKey = PLATFORM_BEHIND_PROXY ? total : each;
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
