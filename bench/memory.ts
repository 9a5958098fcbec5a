/**
 * Whether the gateway's memory stays flat: state reads of fresh and hot keys, synchronous calls, events and rejected requests
 * at once for ten minutes, and its resident memory in the last minute over that in the second one.
 *
 *     npm run bench:memory [-- --minutes 10]
 */
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { readEnvironment } from "@/lib/server/platform/environment";
import { freePort } from "@/lib/server/platform/machine";
import type { Platform } from "@/lib/server/platform/platform";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { bundle, findLoadGenerator, killParts, load, median, printFigure, startPart } from "./measure";
import { chooseVariables } from "./measured-gateway";
import { requestPaths } from "./request-paths";
import { type SeededInstallation, seedInstallations } from "./seed-installations";

const INSTALLATIONS = 10_000;
const HOT_KEYS = 16;
const CREDENTIAL = "pcc_the-credential-of-the-benchmark";
const MINUTE_MS = 60_000;
/** wrk runs for so long, then again: a failing request is noticed early. */
const TURN_SECONDS = 20;

/** One event after another, each with an id of its own. */
const EVENTS = `
local at = 0
function init() math.randomseed(os.time()) at = math.random(1000000) * 1000 end
function request()
  at = at + 1
  local body = '{"id":"e-' .. at .. '","type":"policy.issued","timestamp":"2026-01-31T12:00:00Z","data":{"n":' .. at .. '}}'
  return wrk.format(nil, nil, nil, body)
end`;

const minutes = Number(parseArgs({ options: { minutes: { type: "string", default: "10" } } }).values.minutes);
if (!(minutes >= 3) || (await findLoadGenerator()) !== "wrk") {
  console.error("Install wrk, and measure for at least 3 minutes: the first is left out.");
  process.exit(1);
}
const database = await startTemporaryDatabase("bench");
const folder = await mkdtemp(path.join(tmpdir(), "bench-memory-"));
try {
  await run(`${database.server}/bench`);
} finally {
  killParts();
  await database.stop();
  await rm(folder, { recursive: true });
}
process.exit(0);

async function run(databaseUrl: string): Promise<void> {
  const variables = await chooseVariables(databaseUrl);
  const url = variables.PLATFORM_GATEWAY_URL;
  const appPort = await freePort();
  const platform = createPlatform(readEnvironment(variables), "bench");
  const seeded = await seedInstallations(platform, INSTALLATIONS);
  const routeId = await givenCallable(platform, seeded, `http://127.0.0.1:${appPort}`);
  await platform.pool.end();
  const stateOf = ({ key }: SeededInstallation) => `/state/${key}`;
  const fresh = await requestPaths(path.join(folder, "fresh.txt"), seeded.map(stateOf));
  const hot = await requestPaths(path.join(folder, "hot.txt"), seeded.slice(0, HOT_KEYS).map(stateOf));
  await bundle({ gateway: "gateway/main.ts", app: "bench/bare-app.ts" });
  await startPart("app", [String(appPort)], variables);
  const { pid } = await startPart("gateway", [], variables);

  const ends = performance.now() + minutes * MINUTE_MS;
  const json = { "content-type": "application/json", authorization: `Bearer ${CREDENTIAL}` };
  const post = { method: "POST" as const, headers: json, connections: 4, seconds: TURN_SECONDS };
  const read = { url, connections: 8, seconds: TURN_SECONDS };
  const orders = {
    fresh: { ...read, lua: fresh },
    hot: { ...read, lua: hot },
    calls: { ...post, url: `${url}/r/${routeId}`, body: '{"operation":"newBusiness.create"}' },
    events: { ...post, url: `${url}/core/v1/events`, lua: EVENTS },
  };
  const counts: Record<string, number> = {};
  const repeat = async (name: string, order: Parameters<typeof load>[0]) => {
    while (performance.now() < ends) {
      const { rate } = await load(order);
      counts[name] = (counts[name] ?? 0) + Math.round(rate * TURN_SECONDS);
    }
  };
  const loads = Object.entries(orders).map(([name, order]) => repeat(name, order));
  const [samples, rejected] = await Promise.all([
    sampleMemory(pid ?? 0, ends),
    sendRejected(url, ends),
    ...loads,
  ]);
  for (const [name, count] of Object.entries({ ...counts, rejected }))
    printFigure(`gateway_memory_${name}`, count, "requests");
  samples.forEach((of, minute) => console.log(`minute ${minute + 1}: ${median(of).toFixed(1)} MB`));
  printFigure("gateway_rss", median(samples.at(-1) ?? []), "MB");
  printFigure("gateway_rss_growth", median(samples.at(-1) ?? []) / median(samples[1] ?? []), "ratio");
}

/** An app, a webhook and an autofill route of one installation, and the credential of its core. @returns the autofill route */
async function givenCallable(
  { pool }: Platform,
  seeded: SeededInstallation[],
  origin: string,
): Promise<string> {
  const [first] = seeded;
  if (first === undefined) throw new Error("nothing was seeded");
  const hash = createHash("sha256").update(CREDENTIAL).digest("hex");
  const { installationId } = first;
  await pool.query(
    "insert into core_credentials (id, tenant_id, hash) select gen_random_uuid(), tenant_id, $1 from installations where id = $2",
    [hash, installationId],
  );
  await pool.query(
    `insert into instances (id, version_id, runtime, handle, origin, state, ready_at)
     select gen_random_uuid(), version_id, 'bench', 'none', $1, 'READY', now() from installations where id = $2`,
    [origin, installationId],
  );
  await pool.query("update routes set patterns = '[\"newBusiness.*\"]' where installation_id = $1", [
    installationId,
  ]);
  await pool.query(
    "insert into routes (id, installation_id, kind, path, patterns) values (gen_random_uuid(), $1, 'webhook', '/events', '[\"policy.issued\"]')",
    [installationId],
  );
  return first.routeId;
}

/** Megabytes of resident memory, each second, by minute. */
async function sampleMemory(pid: number, ends: number): Promise<number[][]> {
  const samples: number[][] = Array.from({ length: minutes }, () => []);
  const started = performance.now();
  while (performance.now() < ends) {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const minute = Math.floor((performance.now() - started) / MINUTE_MS);
    samples[minute]?.push(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1000);
    await sleep(1_000);
  }
  return samples;
}

/** Requests that the gateway refuses: wrong keys, credentials, types and bodies. */
async function sendRejected(url: string, ends: number): Promise<number> {
  const pool = new Pool(url, { connections: 4 });
  const post = { method: "POST" as const, path: "/core/v1/events" };
  const json = { "content-type": "application/json" };
  const orders = [
    { method: "GET" as const, path: `/state/psk_${"A".repeat(128)}` },
    { method: "GET" as const, path: "/nowhere" },
    { ...post, headers: { ...json, authorization: "Bearer wrong" }, body: "{}" },
    { ...post, headers: { ...json, authorization: `Bearer ${CREDENTIAL}` }, body: '{"id":' },
    { ...post, headers: { authorization: `Bearer ${CREDENTIAL}` }, body: "x".repeat(10_000) },
  ];
  let sent = 0;
  while (performance.now() < ends) {
    const answers = await Promise.all(orders.map((order) => pool.request(order)));
    for (const { statusCode, body } of answers) {
      await body.dump();
      if (statusCode < 400) throw new Error(`A request that is wrong was answered with ${statusCode}.`);
    }
    sent += answers.length;
    await sleep(5);
  }
  await pool.close();
  return sent;
}
