import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * How long an idle connection stays open, in milliseconds. Load balancers usually close theirs after 60 s: if the server
 * closed one first, a request that was just sent on it would fail.
 */
export const KEEP_ALIVE_MS = 75_000;

/**
 * How long an idle connection stays open while draining. A client that sends a request in that time gets its response;
 * if the connection were closed immediately, a request already on its way could fail.
 */
const LINGER_MS = 1_000;

/** After a turn of the event loop that took less, no connection waits. A server that is never that free closes anyway. */
const QUICK_TURN_MS = 5;
const MOST_TURNS = 50;

const connections = new WeakMap<Server, Set<Socket>>();

/**
 * Call it before the server listens. Browsers and load balancers open connections before they need them: Node doesn't count
 * these as idle, and a drain would wait for them until its limit.
 */
export function trackConnections(server: Server): void {
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
}

/** Accepts no more connections. Resolves when all requests in progress are answered, or are cut off after `limitMs`. */
export async function drainServers(servers: readonly Server[], limitMs: number): Promise<void> {
  await acceptWaiting();
  const closed = Promise.all(servers.map(stopAccepting));
  const linger = setTimeout(() => servers.forEach(closeUnused), Math.min(LINGER_MS, limitMs / 2));
  const limit = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), limitMs);
  await closed;
  clearTimeout(linger);
  clearTimeout(limit);
}

/** Closing a listener resets the connections that wait to be accepted: a busy event loop gets to them only in its next turns. */
async function acceptWaiting(): Promise<void> {
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    const started = performance.now();
    await nextTurn();
    if (performance.now() - started < QUICK_TURN_MS) return;
  }
}

function closeUnused(server: Server): void {
  server.closeIdleConnections();
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

function stopAccepting(server: Server): Promise<unknown> {
  // From now on, a connection ends with the response to its request, and the response says so if its headers weren't
  // sent yet.
  server.keepAliveTimeout = 1;
  server.prependListener("request", (_request, response: ServerResponse) => {
    response.setHeader("connection", "close");
  });
  // The HTTP server's own `close` would close idle connections at once.
  return new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
}

/** Signals to clients that the process is stopping: with each response from then on, and with those in progress. */
export interface Drain {
  track: (response: ServerResponse) => void;
  begin: () => void;
  isDraining: () => boolean;
}

export function createDrain(): Drain {
  const inProgress = new Set<ServerResponse>();
  let isDraining = false;
  return {
    track: (response) => {
      if (isDraining) return announceClose(response);
      inProgress.add(response);
      response.once("close", () => inProgress.delete(response));
    },
    begin: () => {
      isDraining = true;
      for (const response of inProgress) announceClose(response);
    },
    isDraining: () => isDraining,
  };
}

/** So that the client sends its next request on another connection, to another process. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}
