import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isProbe } from "@/lib/server/surface/api/all-routes";
import { abortUploads } from "@/lib/server/catalog/publish/uploads";
import { removeLeftovers } from "@/lib/server/images/incoming-folder";
import { applySettings, readEnvironment } from "@/lib/server/platform/environment";
import { repeat } from "@/lib/server/platform/lease-loop";
import { keepBeating } from "@/lib/server/platform/part-beats";
import { drainServers, trackConnections } from "@/lib/server/platform/requests/drain-servers";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";
import { loadReport } from "@/lib/server/runtime/scale-busy";
import { serveMetrics } from "@/lib/server/surface/metrics/serve-metrics";
import { openTraces } from "@/lib/server/surface/export-traces";
import { BACKLOG, createGateway } from "./serve";
import { shareGateway } from "./share-gateway";

/** How long requests in progress may take after SIGTERM. */
const DRAIN_MS = 25_000;
/** Uploads get less, so that there is time to tell their senders why they were refused, and to remove the files. */
const UPLOAD_DRAIN_MS = 20_000;
/** State reads are answered in milliseconds, and nothing that needs them is left then. */
const STATE_DRAIN_MS = 1_000;

const environment = readEnvironment();
const platform = createPlatform(environment, "gateway");
await removeLeftovers(environment);
const shared = shareGateway(platform, true);
const all = createGateway(platform, undefined, shared);
const servers = [await listen(all, environment.PLATFORM_GATEWAY_HOST, environment.PLATFORM_GATEWAY_PORT)];

await listenForContainers();
await serveMetrics(platform);
const traces = await openTraces(platform);

process.on("SIGTERM", () => void end());
process.on("SIGINT", () => void end());
// A container engine appeared: containers need a listener that they can reach.
process.on("message", (message) => {
  if (applySettings(environment, message) && servers.length === 1)
    listenForContainers().catch((error: unknown) => platform.log.error({ err: error }, "cannot listen"));
});
const beats = keepBeating(platform, "gateway");
const loads = repeat(platform, loadReport(platform));
process.send?.({ ready: true });

let ending = false;

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  beats.stop();
  loads.stop();
  platform.services.liveLists.endAll();
  shared.drain.begin();
  await sleep(environment.PLATFORM_DRAIN_NOTICE_MS);
  const timer = setTimeout(() => void abortUploads(), UPLOAD_DRAIN_MS);
  // An app reads its state while it answers a call: its way there stays open until the last call has ended.
  const [calls, ...states] = servers;
  if (calls !== undefined) await drainServers([calls], DRAIN_MS);
  await drainServers(states, STATE_DRAIN_MS);
  clearTimeout(timer);
  await abortUploads();
  await traces?.close();
  await Promise.all([...shared.platforms.values(), platform].map(closePlatform));
  process.exit(0);
}

/** A second listener that serves only the state, to which apps connect themselves. */
async function listenForContainers(): Promise<void> {
  if (environment.PLATFORM_STATE_LISTEN === "") return;
  const { hostname, port } = new URL(`http://${environment.PLATFORM_STATE_LISTEN}`);
  const stateOnly = createGateway(
    platform,
    (route) => route.startsWith("GET /state/") || isProbe(route),
    shared,
    true,
  );
  servers.push(await listen(stateOnly, hostname, Number(port)));
}

function listen(server: Server, host: string, port: number): Promise<Server> {
  trackConnections(server);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      platform.log.info({ host, port }, "the gateway is listening");
      resolve(server);
    });
  });
}
