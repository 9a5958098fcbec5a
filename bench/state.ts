/**
 * Measures the state API: the gateway, Next's route handler, and a bare `node:http` + `pg` select for comparison. They take
 * turns on one machine, so that ratios stay valid when its speed drifts.
 */
import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import autocannon from "autocannon";
import { build } from "esbuild";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { SELECT_STATE } from "@/lib/server/state/queries";
import { freePort } from "@/lib/server/runtimes/free-port";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { createInstallation } from "./running-installation";

const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 32;
const OUT = ".build/bench";

if (!existsSync(".next/BUILD_ID")) {
  console.error("Build first, so that Next's handler is measured as it ships: npm run build");
  process.exit(1);
}

const database = await startTemporaryDatabase("bench");
const databaseUrl = `${database.server}/bench`;
const children: ChildProcess[] = [];
try {
  await run();
} finally {
  for (const child of children) child.kill("SIGKILL");
  await database.stop();
}
process.exit(0);

async function run(): Promise<void> {
  const [gatewayPort, webPort, barePort] = [await freePort(), await freePort(), await freePort()];
  const variables = {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    PLATFORM_MASTER_KEYS: newMasterKey("bench"),
    PLATFORM_GATEWAY_PORT: String(gatewayPort),
    PLATFORM_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    PLATFORM_WEB_URL: `http://localhost:${webPort}`,
    PLATFORM_LOG_LEVEL: "warn",
  };
  const { key, installationId, routeId } = await createInstallation(variables);
  await build({
    entryPoints: { gateway: "gateway/main.ts", bare: "bench/bare-server.ts" },
    outdir: OUT,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  await start(
    `${OUT}/bare.js`,
    [databaseUrl, String(barePort), SELECT_STATE, installationId, routeId],
    variables,
  );
  await start(`${OUT}/gateway.js`, [], variables);
  await startNext(webPort, variables);

  const targets = {
    bare: `http://127.0.0.1:${barePort}/`,
    gateway: `http://127.0.0.1:${gatewayPort}/state/${key}`,
    next: `http://127.0.0.1:${webPort}/state/${key}`,
  };
  const rates: Record<keyof typeof targets, number[]> = { bare: [], gateway: [], next: [] };
  const latencies: Record<keyof typeof targets, number[]> = { bare: [], gateway: [], next: [] };
  for (const url of Object.values(targets)) await autocannon({ url, connections: CONNECTIONS, duration: 2 });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ["bare", "gateway", "next"] as const) {
      const result = await autocannon({ url: targets[name], connections: CONNECTIONS, duration: SECONDS });
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${name}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed`);
      rates[name].push(result.requests.average);
      latencies[name].push(result.latency.p99);
      console.log(
        `round ${round + 1}  ${name.padEnd(8)} ${Math.round(result.requests.average)} requests/s, p99 ${result.latency.p99} ms`,
      );
    }
  }
  for (const name of ["bare", "gateway", "next"] as const) {
    console.log(`figure state_${name}_rate ${Math.round(median(rates[name]))} requests/s`);
    console.log(`figure state_${name}_p99 ${median(latencies[name])} ms`);
  }
  const ratio = (other: "bare" | "next") =>
    median(rates.gateway.map((rate, round) => rate / (rates[other][round] ?? 1))).toFixed(2);
  console.log(`figure state_gateway_over_bare ${ratio("bare")} ratio`);
  console.log(`figure state_gateway_over_next ${ratio("next")} ratio`);
}

function start(script: string, args: string[], variables: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(path.resolve(script), args, { env: { ...process.env, ...variables } });
    children.push(child);
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`${script} exited with code ${code}`)));
  });
}

async function startNext(port: number, variables: Record<string, string>): Promise<void> {
  const next = path.resolve("node_modules/next/dist/bin/next");
  children.push(
    fork(next, ["start", "-p", String(port), "-H", "127.0.0.1"], {
      env: { ...process.env, ...variables },
      stdio: "ignore",
    }),
  );
  for (let tries = 0; tries < 100; tries += 1) {
    const up = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Next did not start within 10 s.");
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
