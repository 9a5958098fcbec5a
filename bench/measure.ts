/** What benchmarks share: parts as child processes, a load generator, and figures. */
import { execFile, fork, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import autocannon from "autocannon";
import { build, type Plugin } from "esbuild";
import { z } from "zod";

const OUT = ".build/bench";
const execute = promisify(execFile);

/** Bundles scripts as they ship. `{ gateway: "gateway/main.ts" }` becomes `.build/bench/gateway.js`. */
export async function bundle(entryPoints: Record<string, string>, plugins: Plugin[] = []): Promise<void> {
  await build({
    entryPoints,
    plugins,
    outdir: OUT,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
}

const children: ChildProcess[] = [];

/** Starts a bundled script, and waits for its first message. */
export function startPart(
  name: string,
  args: string[],
  variables: Record<string, string>,
  execArgv: string[] = [],
): Promise<ChildProcess> {
  const script = path.resolve(OUT, `${name}.js`);
  const child = fork(script, args, { env: { ...process.env, ...variables }, execArgv });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once("message", () => resolve(child));
    child.once("exit", (code) => reject(new Error(`${name} exited with code ${code}`)));
  });
}

export function killParts(): void {
  for (const child of children) child.kill("SIGKILL");
}

export interface Load {
  url: string;
  connections: number;
  seconds: number;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  /** Lua for wrk that defines `request`, for requests that differ. autocannon repeats the one above. */
  lua?: string;
}

export interface Measured {
  /** Answers per second. */
  rate: number;
  p50Ms: number;
  p99Ms: number;
  /** Of one core, how much wrk used: near 1, it would be the bottleneck. Unknown of autocannon. */
  generatorLoad?: number;
}

const wrkReport = z.object({
  requests: z.number(),
  microseconds: z.number(),
  p50: z.number(),
  p99: z.number(),
  failed: z.number(),
  cpuSeconds: z.number(),
});

/** wrk sends from one thread of C. Its own percentiles are rounded; these are in microseconds. */
const WRK_DONE = `
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('REPORT {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"failed":%d,"cpuSeconds":%f}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout, os.clock()))
end`;

let generator: "wrk" | "autocannon" | undefined;

/** wrk where it is installed; otherwise autocannon, which shares this process and may be the bottleneck. */
export async function findLoadGenerator(): Promise<"wrk" | "autocannon"> {
  generator ??= await execute("wrk", ["--version"]).then(
    () => "wrk",
    // It prints its version and exits with 1.
    (error: unknown) =>
      error instanceof Error && "code" in error && error.code === "ENOENT" ? "autocannon" : "wrk",
  );
  return generator;
}

/** Throws if a request failed or was not answered 2xx. */
export async function load(order: Load): Promise<Measured> {
  return (await findLoadGenerator()) === "wrk" ? loadWithWrk(order) : loadWithAutocannon(order);
}

async function loadWithWrk({
  url,
  connections,
  seconds,
  method = "GET",
  headers = {},
  body,
  lua = "",
}: Load) {
  const folder = await mkdtemp(path.join(tmpdir(), "wrk-"));
  try {
    const script = path.join(folder, "load.lua");
    const lines = [
      `wrk.method = ${JSON.stringify(method)}`,
      ...Object.entries(headers).map(
        ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = [==[${value}]==]`,
      ),
      ...(body === undefined ? [] : [`wrk.body = [==[${body}]==]`]),
      lua,
      WRK_DONE,
    ];
    await writeFile(script, lines.join("\n"));
    const { stdout } = await execute("wrk", [`-t1`, `-c${connections}`, `-d${seconds}s`, "-s", script, url]);
    const report = wrkReport.parse(JSON.parse(stdout.slice(stdout.indexOf("REPORT ") + "REPORT ".length)));
    if (report.failed > 0) throw new Error(`${url}: ${report.failed} of ${report.requests} requests failed`);
    return {
      rate: report.requests / (report.microseconds / 1e6),
      p50Ms: report.p50 / 1_000,
      p99Ms: report.p99 / 1_000,
      generatorLoad: report.cpuSeconds / (report.microseconds / 1e6),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function loadWithAutocannon({ url, connections, seconds, method, headers, body }: Load) {
  const idReplacement = body?.includes("[<id>]") === true;
  const options = { url, connections, duration: seconds, method, headers, body, idReplacement };
  const result = await autocannon(options);
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${url}: ${failed} of ${result.requests.total} requests failed`);
  const { p50, p99 } = result.latency;
  return { rate: result.requests.average, p50Ms: p50, p99Ms: p99 };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The median of the ratios of each round: when the machine's speed drifts, both sides of a round do. */
export function medianRatio(ours: readonly number[], others: readonly number[]): number {
  return median(ours.map((value, round) => value / (others[round] ?? NaN)));
}

export function printFigure(name: string, value: number, unit: string): void {
  console.log(`figure ${name} ${Number(value.toPrecision(3))} ${unit}`);
}
