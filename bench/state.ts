/**
 * Measures the state API with 100,000 installations: the gateway beside a bare `node:http` + `pg` select of the same join,
 * with keys that are read once (fresh) and with few keys again and again (hot); the gateway beside Next's route handler; and
 * two gateways beside one, each limited to half a core. They take turns on one machine, so that ratios stay valid when its
 * speed drifts.
 *
 *     npm run bench:state [-- <seconds of a round> [<installations>]]
 */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { freePort } from "@/lib/server/platform/machine";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { limitCpu } from "./limit-cpu";
import {
  bundle,
  findLoadGenerator,
  killParts,
  load,
  type Measured,
  median,
  medianRatio,
  printFigure,
  startPart,
} from "./measure";
import { requestPaths } from "./request-paths";
import { type SeededInstallation, seedInstallations } from "./seed-installations";

const ROUNDS = 3;
const CONNECTIONS = 64;
const HOT_KEYS = 16;
/** Of a core, for each of two gateways. With all of a small machine, two would be limited by what the generator leaves them. */
const GATEWAY_CORES = 0.5;

const seconds = Number(process.argv[2] ?? 5);
const installations = Number(process.argv[3] ?? 100_000);

if ((await findLoadGenerator()) !== "wrk") {
  console.error("Install wrk: this benchmark sends a different key with each request.");
  process.exit(1);
}
const database = await startTemporaryDatabase("bench");
const folder = await mkdtemp(path.join(tmpdir(), "bench-state-"));
let next: ChildProcess | undefined;
const limits: (() => Promise<void>)[] = [];
try {
  await run(`${database.server}/bench`);
} finally {
  killParts();
  next?.kill("SIGKILL");
  for (const remove of limits) await remove();
  await database.stop();
  await rm(folder, { recursive: true });
}
process.exit(0);

async function run(databaseUrl: string): Promise<void> {
  const [port, first, second, barePort, webPort, idlePort] = await Promise.all(
    Array.from({ length: 6 }, () => freePort()),
  );
  const masterKeys = newMasterKey("bench");
  const variables = (gatewayPort = 0) => ({
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    PLATFORM_MASTER_KEYS: masterKeys,
    PLATFORM_GATEWAY_PORT: String(gatewayPort),
    PLATFORM_GATEWAY_URL: `http://127.0.0.1:${port}`,
    PLATFORM_WEB_URL: `http://localhost:${webPort}`,
    PLATFORM_LOG_LEVEL: "warn",
  });
  const platform = createPlatform(readEnvironment(variables()), "bench");
  console.log(`inserting ${installations} installations`);
  const seeded = shuffle(await seedInstallations(platform, installations));
  await platform.pool.end();
  const stateOf = ({ key }: SeededInstallation) => `/state/${key}`;
  const fresh = await requestPaths(path.join(folder, "fresh.txt"), seeded.map(stateOf));
  const hot = await requestPaths(path.join(folder, "hot.txt"), seeded.slice(0, HOT_KEYS).map(stateOf));
  const rows = await requestPaths(
    path.join(folder, "rows.txt"),
    seeded.map(({ installationId, routeId }) => `/${installationId}/${routeId}`),
  );

  await bundle({
    gateway: "gateway/main.ts",
    bare: "bench/bare-server.ts",
    "answer-at-once": "bench/answer-at-once.ts",
  });
  await startPart("bare", [databaseUrl, String(barePort)], {});
  await startPart("answer-at-once", [String(idlePort)], {});
  await startPart("gateway", [], variables(port));
  for (const limitedPort of [first, second]) {
    const { pid } = await startPart("gateway", [], variables(limitedPort));
    if (pid !== undefined) await limit(pid);
  }

  const at = (serverPort: number | undefined, lua: string, share = 1) =>
    load({ url: `http://127.0.0.1:${serverPort}`, connections: CONNECTIONS * share, seconds, lua });
  const targets: Record<string, () => Promise<Measured>> = {
    bare: () => at(barePort, rows),
    fresh: () => at(port, fresh),
    hot: () => at(port, hot),
    // Hot keys, because one database serves both: with fresh keys, two gateways would share its limit. Each gateway has a
    // generator of its own, with as many connections in both cases.
    one: () => at(first, hot, 0.5),
    two: () => together(at(first, hot, 0.5), at(second, hot, 0.5)),
  };
  if (existsSync(".next/current")) {
    next = await startNext(webPort ?? 0, variables(port));
    targets.next = () => at(webPort, fresh);
  } else console.log("Next is left out, because it is not built: npm run build");

  const most = await at(idlePort, hot);
  printFigure("state_generator_rate", most.rate, "requests/s to a server that answers at once");
  const measured = new Map(Object.keys(targets).map((name): [string, Measured[]] => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [name, measure] of Object.entries(targets)) {
      const result = await measure();
      // The first round warms up.
      if (round === 0) continue;
      measured.get(name)?.push(result);
      const used = `wrk used ${result.generatorLoad?.toFixed(2)} of a core`;
      console.log(
        `round ${round}  ${name.padEnd(6)} ${Math.round(result.rate)} requests/s, p99 ${result.p99Ms} ms, ${used}`,
      );
    }
  print(measured);
}

async function limit(pid: number): Promise<void> {
  try {
    limits.push(await limitCpu(pid, GATEWAY_CORES));
  } catch (error) {
    console.log(
      `The gateways and the generator share all cores (only root on Linux can limit them): ${error}`,
    );
  }
}

function print(measured: ReadonlyMap<string, Measured[]>): void {
  const rates = (name: string) => measured.get(name)?.map(({ rate }) => rate) ?? [];
  for (const [name, results] of measured) {
    printFigure(`state_${name}_rate`, median(rates(name)), "requests/s");
    printFigure(`state_${name}_p99`, median(results.map(({ p99Ms }) => p99Ms)), "ms");
  }
  const loads = [...measured.values()].flat().map(({ generatorLoad = 0 }) => generatorLoad);
  printFigure("state_generator_load", Math.max(...loads), "of the cores at most, used by wrk");
  printFigure("state_fresh_over_bare", medianRatio(rates("fresh"), rates("bare")), "ratio");
  printFigure("state_hot_over_bare", medianRatio(rates("hot"), rates("bare")), "ratio");
  if (measured.has("next"))
    printFigure("state_gateway_over_next", medianRatio(rates("fresh"), rates("next")), "ratio");
  printFigure("state_two_gateways_over_one", medianRatio(rates("two"), rates("one")), "ratio");
}

async function together(first: Promise<Measured>, second: Promise<Measured>): Promise<Measured> {
  const [a, b] = await Promise.all([first, second]);
  return {
    rate: a.rate + b.rate,
    p50Ms: Math.max(a.p50Ms, b.p50Ms),
    p99Ms: Math.max(a.p99Ms, b.p99Ms),
    generatorLoad: (a.generatorLoad ?? 0) + (b.generatorLoad ?? 0),
  };
}

function shuffle<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

async function startNext(port: number, variables: Record<string, string>): Promise<ChildProcess> {
  const script = path.resolve("node_modules/next/dist/bin/next");
  const child = fork(script, ["start", "-p", String(port), "-H", "127.0.0.1"], {
    env: { ...process.env, ...variables },
    stdio: "ignore",
  });
  for (let tries = 0; tries < 100; tries += 1) {
    const up = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) return child;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill("SIGKILL");
  throw new Error("Next did not start within 10 s.");
}
