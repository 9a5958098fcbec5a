/** The listener for Prometheus, on a port of its own: it must never be reachable where customers and apps are. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Platform } from "../../platform/platform";
import type { OpenMetrics } from "./registry";

export interface MetricsServer {
  port: number;
  close: () => Promise<void>;
}

/**
 * Does nothing, and loads nothing, without a port in the settings. A port that can't be used is logged and ends nothing: calls matter
 * more than their numbers, and Prometheus reports a target that is down.
 */
export async function serveMetrics(platform: Platform | undefined): Promise<MetricsServer | undefined> {
  if (platform === undefined) return undefined;
  const { PLATFORM_METRICS_HOST: host, PLATFORM_METRICS_PORT: wanted } = platform.environment;
  if (wanted === null) return undefined;
  const { openMetrics } = await import("./registry");
  const open = await openMetrics(platform);
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 60_000 });
  server.maxConnections = 256;
  server.on("request", (request, response) => void answer(platform, open, request, response));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(wanted, host, resolve);
    });
  } catch (error) {
    platform.log.error({ err: error, host, port: wanted }, "metrics can't be served at this address");
    await open.close();
    return undefined;
  }
  // It doesn't keep a process that otherwise ends.
  server.unref();
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : wanted;
  platform.log.info({ host, port }, "metrics are served at /metrics");
  return {
    port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await open.close();
    },
  };
}

async function answer(
  { log }: Platform,
  open: OpenMetrics,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume();
  if (request.url?.split("?")[0] !== "/metrics") return send(response, 404, "Metrics are at /metrics.\n");
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return send(response, 405, "Use GET.\n");
  }
  try {
    send(response, 200, await open.text(), open.contentType);
  } catch (error) {
    log.error({ err: error }, "metrics could not be written");
    send(response, 500, "Metrics could not be written. The log has the cause.\n");
  }
}

function send(response: ServerResponse, status: number, text: string, type = "text/plain"): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
  response.end(text);
}
