/** The web part: Next in our own server, because Next's drops requests in progress two seconds after SIGTERM. */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import next from "next";
import { readEnvironment } from "@/lib/server/platform/environment";
import { reportFailure } from "@/lib/server/platform/database/repeated-failures";
import { keepBeating } from "@/lib/server/platform/part-beats";
import { answerAway, reportAway } from "@/lib/server/platform/database/answer-away";
import {
  createDrain,
  drainServers,
  KEEP_ALIVE_MS,
  trackConnections,
} from "@/lib/server/platform/requests/drain-servers";
import { CLIENT_ADDRESS, readAddress } from "@/lib/server/platform/requests/read-request";
import { serveMetrics } from "@/lib/server/surface/metrics/serve-metrics";
import { openTraces } from "@/lib/server/surface/export-traces";
import { announceWebEnd, createdWebPlatform, endWebPlatform } from "@/lib/server/surface/web/platform";
import { refuseMethod } from "@/lib/server/surface/web/refuse-request";

/** How long requests in progress may take after SIGTERM. */
const DRAIN_MS = 25_000;

const environment = readEnvironment();
const dev = process.env.PLATFORM_DEV === "1";
const { PLATFORM_WEB_HOST: hostname, PLATFORM_WEB_PORT: port } = environment;
// Without it, next-auth would trust the request's Host header.
process.env.NEXTAUTH_URL = environment.PLATFORM_WEB_URL;

const app = next({ dev, dir: process.cwd(), hostname, port });
await app.prepare();
const handle = app.getRequestHandler();
const notice = createDrain();
const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  notice.track(response);
  request.headers[CLIENT_ADDRESS] = readAddress(environment, request);
  if (refuseMethod(request, response, environment.PLATFORM_WEB_URL)) return;
  void answerAway(response, () => handle(request, response));
});

reportAway(console, (err) => {
  const log = createdWebPlatform()?.log;
  const message = "a page could not be loaded, because the database is unavailable";
  if (log !== undefined) reportFailure(log, "pages", { err, level: "warn", message });
});
trackConnections(server);

let ending = false;
let traces: Awaited<ReturnType<typeof openTraces>>;
let beats: ReturnType<typeof keepBeating> | undefined;
process.on("SIGTERM", () => void end());
process.on("SIGINT", () => void end());

server.listen(port, hostname, async () => {
  // The first request loads what all pages share. Send it before reporting readiness, so that no user waits for it.
  await fetch(`http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}/api/health`).catch(
    () => undefined,
  );
  await serveMetrics(createdWebPlatform());
  traces = await openTraces(createdWebPlatform());
  const platform = createdWebPlatform();
  if (platform !== undefined) beats = keepBeating(platform, "web");
  process.send?.({ ready: true });
});

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  announceWebEnd();
  beats?.stop();
  notice.begin();
  if (!dev) await sleep(environment.PLATFORM_DRAIN_NOTICE_MS);
  await endWebPlatform(() => drainServers([server], dev ? 500 : DRAIN_MS));
  await traces?.close();
  process.exit(0);
}
