/**
 * Measures what metrics and traces cost: autofill calls through four gateways with the same database and app. `bare` was built without
 * the code that counts and traces calls, `off` has it and neither counts nor traces, `metrics` counts and is scraped, and `on` also
 * exports every trace. All are started anew in each round, because two processes of the same code differ by 5%, too, and take turns of a
 * second, because the machine's speed drifts.
 *
 *     npm run bench:observability [-- <turns> <rounds>]
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Plugin } from "esbuild";
import { freePort } from "@/lib/server/platform/machine";
import { bundle, load, median, medianRatio, printFigure, startPart } from "./measure";
import { CORE_HEADERS, prepareGateway } from "./measured-gateway";

const CONNECTIONS = 8;
const PAYLOAD = { operation: "newBusiness.create", policy: { vehicle: { vin: "YV1CZ852851194259" } } };
/** Three times as often as is usual. */
const SCRAPE_MS = 5_000;
const WARM_SECONDS = 8;
/** In which Linux counts the time of a process. */
const TICK_MS = 10;

/** What counts and traces a call. In a bare gateway, these functions do nothing. */
const COUNTING = {
  "lib/server/calls/call-metrics.ts": ["countCall"],
  "lib/server/calls/call-traces.ts": ["traceAttempt", "traceEvent", "traceStateRead"],
  "lib/domain/calls/trace.ts": ["parseTrace", "traceHeaders"],
};

const turns = Number(process.argv[2] ?? 6);
const rounds = Number(process.argv[3] ?? 6);

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

/** A value for each turn of each round. */
interface Measured {
  name: string;
  rates: number[];
  /** Of the gateway, for each call. */
  cpu: number[];
  /** How long a call takes that is the only one, ms. */
  alone: number[];
}

async function run(): Promise<void> {
  const { variables, pool, routeId } = bench;
  const appPort = await freePort();
  await pool.query(
    `insert into instances (id, version_id, runtime, handle, origin, state, ready_at)
     select gen_random_uuid(), id, 'bench', 'none', $1, 'READY', now() from versions`,
    [`http://127.0.0.1:${appPort}`],
  );
  await bundle({
    gateway: "gateway/main.ts",
    "export-traces": "lib/server/surface/export-traces-thread.ts",
    app: "bench/bare-app.ts",
  });
  await bundle({ "bare-gateway": "gateway/main.ts" }, [createBare()]);
  await startPart("app", [String(appPort)], variables);

  const scraped = async () => ({ PLATFORM_METRICS_PORT: String(await freePort()) });
  const gateways: { name: string; settings: () => Promise<Record<string, string>> }[] = [
    { name: "bare", settings: async () => ({}) },
    { name: "off", settings: async () => ({}) },
    { name: "metrics", settings: scraped },
    {
      name: "on",
      settings: async () => ({
        ...(await scraped()),
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
      }),
    },
  ];
  const measured = gateways.map(({ name }): Measured => ({ name, rates: [], cpu: [], alone: [] }));
  for (let round = 0; round < rounds; round += 1) {
    const started: StartedGateway[] = [];
    for (const { name, settings } of gateways) started.push(await startGateway(name, await settings()));
    for (let turn = 0; turn < turns; turn += 1)
      for (const place of started.keys()) {
        // In another order each time: who comes after whom must not matter.
        const at = (place + turn + round) % started.length;
        const [gateway, found] = [started[at], measured[at]];
        if (gateway === undefined || found === undefined) continue;
        const { rate, cpuMs, aloneMs } = await gateway.measure();
        found.rates.push(rate);
        found.cpu.push(cpuMs);
        found.alone.push(aloneMs);
      }
    for (const gateway of started) await gateway.end();
    const shown = measured.map(({ name, rates }) => `${name} ${Math.round(median(rates.slice(-turns)))}`);
    console.log(`round ${round + 1}, calls/s: ${shown.join(", ")}`);
  }

  const [bare, ...others] = measured;
  if (bare === undefined) return;
  for (const { name, rates, cpu, alone } of measured) {
    printFigure(`observability_${name}_rate`, median(rates), "calls/s");
    // Of the gateway alone: it depends less on what else the machine does.
    printFigure(`observability_${name}_cpu`, median(cpu), "ms/call");
    printFigure(`observability_${name}_alone`, median(alone), "ms");
  }
  for (const { name, rates, cpu, alone } of others) {
    printFigure(`observability_${name}_rate_cost`, (1 - medianRatio(rates, bare.rates)) * 100, "percent");
    printFigure(`observability_${name}_cpu_cost`, (medianRatio(cpu, bare.cpu) - 1) * 100, "percent");
    printFigure(`observability_${name}_alone_cost`, (medianRatio(alone, bare.alone) - 1) * 100, "percent");
  }
  const noise = (Math.max(...bare.rates) - Math.min(...bare.rates)) / median(bare.rates);
  printFigure("observability_noise", noise * 100, "percent");
  console.log("The noise is the spread of the bare gateway's rates. The costs are medians of many turns.");

  /** Warm: its code is compiled, also what the first scrapes and exports need. */
  async function startGateway(name: string, settings: Record<string, string>) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const own = { ...variables, ...settings, PLATFORM_GATEWAY_PORT: String(port), PLATFORM_GATEWAY_URL: url };
    const gateway = await startPart(name === "bare" ? "bare-gateway" : "gateway", [], own);
    scrape(settings.PLATFORM_METRICS_PORT);
    const scraping = setInterval(() => scrape(settings.PLATFORM_METRICS_PORT), SCRAPE_MS);
    const body = JSON.stringify(PAYLOAD);
    const order = { method: "POST" as const, headers: CORE_HEADERS, body, url: `${url}/r/${routeId}` };
    await load({ ...order, connections: CONNECTIONS, seconds: WARM_SECONDS });
    return {
      measure: async () => {
        const { p50Ms: aloneMs } = await load({ ...order, connections: 1, seconds: 1 });
        const from = readCpuMs(gateway.pid);
        const { rate } = await load({ ...order, connections: CONNECTIONS, seconds: 1 });
        return { rate, aloneMs, cpuMs: (readCpuMs(gateway.pid) - from) / rate };
      },
      end: async () => {
        clearInterval(scraping);
        gateway.kill("SIGKILL");
        await once(gateway, "exit");
      },
    };
  }
}

interface StartedGateway {
  measure: () => Promise<{ rate: number; aloneMs: number; cpuMs: number }>;
  end: () => Promise<void>;
}

function scrape(port: string | undefined): void {
  if (port === undefined) return;
  void fetch(`http://127.0.0.1:${port}/metrics`).then(
    (response) => response.text(),
    () => "",
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

function createBare(): Plugin {
  return {
    name: "bare",
    setup: ({ onLoad }) => {
      for (const [file, names] of Object.entries(COUNTING))
        onLoad({ filter: new RegExp(`${file.replaceAll(".", "\\.")}$`) }, async ({ path }) => {
          let contents = await readFile(path, "utf8");
          for (const name of names) {
            const start = `export function ${name}(`;
            if (!contents.includes(start)) throw new Error(`${file} has no function ${name} anymore.`);
            const bare = `export const ${name} = () => ${name === "traceHeaders" ? "({})" : "undefined"};`;
            contents = contents.replace(start, `${bare}\nfunction counted_${name}(`);
          }
          return { contents, loader: "ts" };
        });
    },
  };
}
