/**
 * Measures what metrics and traces cost: autofill calls through three gateways with the same database and app, one with both off, one
 * with metrics that are scraped, and one that also exports every trace. They take turns in short rounds, so that ratios stay valid
 * when the machine's speed drifts.
 *
 *     npm run bench:observability [-- <seconds of a round> <rounds> [<folder of another checkout>]]
 *
 * With another checkout, such as one from before a change, its gateway takes part as `before`. It must work with this schema.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { build } from "esbuild";
import { freePort } from "@/lib/server/platform/machine";
import { bundle, load, median, medianRatio, printFigure, startPart } from "./measure";
import { CORE_HEADERS, prepareGateway } from "./measured-gateway";

const CONNECTIONS = 8;
const PAYLOAD = { operation: "newBusiness.create", policy: { vehicle: { vin: "YV1CZ852851194259" } } };
const SCRAPE_MS = 1_000;
/** In which Linux counts the time of a process. */
const TICK_MS = 10;

const seconds = Number(process.argv[2] ?? 3);
const rounds = Number(process.argv[3] ?? 7);
const other = process.argv[4];

/** A collector that reads everything and keeps nothing. */
const collector = createServer((request, response) => {
  request.resume();
  request.once("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
});
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
const collecting = collector.address();
const collectorPort = typeof collecting === "object" && collecting !== null ? collecting.port : 0;

const bench = await prepareGateway();
try {
  await run();
} finally {
  await bench.end();
}
process.exit(0);

async function run(): Promise<void> {
  const { variables, pool, routeId } = bench;
  const appPort = await freePort();
  await pool.query(
    `insert into instances (id, version_id, runtime, handle, origin, state, ready_at)
     select gen_random_uuid(), id, 'bench', 'none', $1, 'READY', now() from versions`,
    [`http://127.0.0.1:${appPort}`],
  );
  await bundle({ gateway: "gateway/main.ts", app: "bench/bare-app.ts" });
  await startPart("app", [String(appPort)], variables);

  const metricsPort = await freePort();
  const metrics = { PLATFORM_METRICS_PORT: String(metricsPort) };
  const gateways: Record<string, Record<string, string>> = {
    off: {},
    metrics,
    both: {
      PLATFORM_METRICS_PORT: String(await freePort()),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
    },
  };
  if (other !== undefined) {
    await bundleOther(other);
    gateways.before = {};
  }
  const urls = new Map<string, string>();
  const pids = new Map<string, number>();
  for (const [name, settings] of Object.entries(gateways)) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const own = { ...variables, ...settings, PLATFORM_GATEWAY_PORT: String(port), PLATFORM_GATEWAY_URL: url };
    const { pid = 0 } = await startPart(name === "before" ? "gateway-before" : "gateway", [], own);
    pids.set(name, pid);
    urls.set(name, url);
  }
  const scraping = setInterval(() => {
    for (const { PLATFORM_METRICS_PORT: port } of Object.values(gateways))
      if (port !== undefined)
        void fetch(`http://127.0.0.1:${port}/metrics`).then(
          (response) => response.text(),
          () => "",
        );
  }, SCRAPE_MS);

  const rates = new Map<string, number[]>([...urls.keys()].map((name) => [name, []]));
  const times = new Map<string, number[]>([...urls.keys()].map((name) => [name, []]));
  const measure = async (name: string, url: string, duration: number) => {
    const body = JSON.stringify(PAYLOAD);
    const order = { method: "POST" as const, headers: CORE_HEADERS, body, connections: CONNECTIONS };
    const from = readCpuMs(pids.get(name));
    const { rate, p99Ms } = await load({ ...order, url: `${url}/r/${routeId}`, seconds: duration });
    console.log(`${name.padEnd(8)} ${Math.round(rate)} calls/s, p99 ${p99Ms.toFixed(1)} ms`);
    return { rate, cpuMs: (readCpuMs(pids.get(name)) - from) / (rate * duration) };
  };
  for (const [name, url] of urls) await measure(name, url, 2);
  for (let round = 0; round < rounds; round += 1) {
    // In another order each round: who comes after whom must not matter.
    const turn = [...urls].map((_each, at, all) => all[(at + round) % all.length]);
    for (const entry of turn)
      if (entry !== undefined) {
        const [name, url] = entry;
        const { rate, cpuMs } = await measure(name, url, seconds);
        rates.get(name)?.push(rate);
        times.get(name)?.push(cpuMs);
      }
  }
  clearInterval(scraping);

  const off = rates.get("off") ?? [];
  for (const [name, each] of rates) printFigure(`observability_${name}_rate`, median(each), "calls/s");
  for (const [name, each] of times) printFigure(`observability_${name}_cpu`, median(each), "ms/call");
  // Of the gateway alone: it depends less on what else the machine does.
  const cpuCost = (name: string, base: string) =>
    (medianRatio(times.get(name) ?? [], times.get(base) ?? []) - 1) * 100;
  printFigure("observability_metrics_cpu_cost", cpuCost("metrics", "off"), "percent");
  printFigure("observability_both_cpu_cost", cpuCost("both", "off"), "percent");
  const cost = (name: string, base: readonly number[]) =>
    (1 - medianRatio(rates.get(name) ?? [], base)) * 100;
  printFigure("observability_metrics_cost", cost("metrics", off), "percent");
  printFigure("observability_both_cost", cost("both", off), "percent");
  const before = rates.get("before");
  if (before !== undefined) {
    printFigure("observability_off_cost", cost("off", before), "percent");
    printFigure("observability_off_cpu_cost", cpuCost("off", "before"), "percent");
  }
  const noise = (Math.max(...off) - Math.min(...off)) / median(off);
  printFigure("observability_noise", noise * 100, "percent");
  console.log(
    "The noise is the spread of the gateway with both off, over all rounds. A cost far below it was not measured.",
  );
}

/** User and system time of a process so far. Linux only: elsewhere, the figures of CPU time are not numbers. */
function readCpuMs(pid = 0): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return NaN;
  }
}

async function bundleOther(folder: string): Promise<void> {
  await build({
    entryPoints: { "gateway-before": path.join(folder, "gateway/main.ts") },
    absWorkingDir: path.resolve(folder),
    outdir: path.resolve(".build/bench"),
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
}
