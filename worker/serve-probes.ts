/** The worker's own listener. It tells supervisors whether the worker works; nothing else talks to it. */
import { createServer, type ServerResponse } from "node:http";
import { describeHealth, type WorkerHealth } from "@/lib/contract/calls/gateway-answers";
import { findMissing } from "@/lib/server/platform/database/availability";
import type { Platform } from "@/lib/server/platform/platform";

export interface Probed {
  isDraining: () => boolean;
  /** The names of the loops that make no progress. */
  listStuck: () => string[];
}

/** Resolves with the port when it listens. Without a port in the settings, the system chooses one, and the log names it. */
export async function serveProbes(platform: Platform, probed: Probed): Promise<number> {
  const { PLATFORM_WORKER_HOST: host, PLATFORM_WORKER_PORT: wanted } = platform.environment;
  const server = createServer((request, response) => {
    request.resume();
    void answer(platform, probed, request.method ?? "", request.url ?? "", response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, host, resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : wanted;
  platform.log.info({ host, port }, "the worker is listening");
  return port;
}

async function answer(
  platform: Platform,
  { isDraining, listStuck }: Probed,
  method: string,
  url: string,
  response: ServerResponse,
): Promise<void> {
  const path = url.split("?")[0];
  if (path !== "/live" && path !== "/ready") return send(response, 404, { status: "unknown" });
  if (method !== "GET" && method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return send(response, 405, { status: "unknown" });
  }
  if (path === "/live") return send(response, 200, { status: "ok" });
  const health: WorkerHealth = describeHealth(isDraining(), isDraining() ? [] : await findMissing(platform));
  const stuck = health.status === "ok" ? listStuck() : [];
  if (stuck.length > 0) return send(response, 503, { status: "unavailable", stuck });
  send(response, health.status === "ok" ? 200 : 503, health);
}

function send(response: ServerResponse, status: number, body: object): void {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  response.writeHead(status, status === 503 ? { ...headers, "retry-after": "2" } : headers);
  response.end(JSON.stringify(body));
}
