/**
 * What a number of apps, installations and calls a second needs, calculated from what one of each costs here: the CPU of the
 * gateway, the worker and PostgreSQL, the transactions and the write-ahead log of a call, a state read, an accepted event and a delivery.
 * The costs are measured, in processes of their own, one kind after another; the rest is arithmetic.
 *
 *     npm run bench:size [-- --apps 1000 --installations 10000 --calls 1000 --events 200]
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { v7 } from "uuid";
import { freePort } from "@/lib/server/platform/machine";
import { readKeyring } from "@/lib/server/platform/keyring";
import { sealStateKey } from "@/lib/server/platform/state-key";
import { bundle, findLoadGenerator, load, printFigure, startPart } from "./measure";
import { CORE_HEADERS, prepareGateway } from "./measured-gateway";
import { requestPaths } from "./request-paths";

const { values } = parseArgs({
  options: {
    apps: { type: "string", default: "1000" },
    installations: { type: "string", default: "10000" },
    calls: { type: "string", default: "1000" },
    events: { type: "string", default: "200" },
  },
});
/** `calls` and `events` a second. In each call, the app reads its state once; each event goes to one app. */
const wanted = {
  apps: Number(values.apps),
  installations: Number(values.installations),
  calls: Number(values.calls),
  events: Number(values.events),
};

const SECONDS = 6;
const CONNECTIONS = 4;
const KEYS = 5_000;
/** Of each process and of the database's cores. The rest is for peaks, and for a part that is being replaced. */
const BUSY_AT_MOST = 0.6;
/** Ticks of CPU time in a second, in `/proc/<pid>/stat` of every Linux. */
const TICKS = 100;
/** Database connections of each part, without metrics: docs/production.md. */
const OPEN = { web: 11, gateway: 29, worker: 11 };
const REPLICAS = 2;
const APP_MEMORY_MIB = 256;
const EVENTS = `
local at = 0
function init() math.randomseed(os.time()) at = math.random(1000000) * 1000 end
function request()
  at = at + 1
  return wrk.format(nil, nil, nil, '{"id":"e-' .. at .. '","type":"policy.issued","timestamp":"2026-01-31T12:00:00Z","data":{"n":' .. at .. '}}')
end`;

/** Of one request: milliseconds of CPU, transactions, kilobytes of write-ahead log. */
interface Cost {
  partMs: number;
  databaseMs: number;
  commits: number;
  walKb: number;
}

if ((await findLoadGenerator()) !== "wrk") {
  console.error("Install wrk: events that all differ need it.");
  process.exit(1);
}
const bench = await prepareGateway();
const folder = await mkdtemp(path.join(tmpdir(), "bench-size-"));
try {
  await run();
} finally {
  await bench.end();
  await rm(folder, { recursive: true });
}
process.exit(0);

async function run(): Promise<void> {
  const { variables, url, routeId } = bench;
  await bundle({ gateway: "gateway/main.ts", worker: "worker/main.ts", app: "bench/bare-app.ts" });
  const appPort = await freePort();
  await startPart("app", [String(appPort)], variables);
  await prepareApp(`http://127.0.0.1:${appPort}`);
  const gateway = await startPart("gateway", [], variables);
  const measure = async (order: Parameters<typeof load>[0]) => {
    await load({ ...order, seconds: 2 });
    return measureCost(gateway.pid, async () => (await load(order)).rate * SECONDS);
  };
  const order = { url, connections: CONNECTIONS, seconds: SECONDS };
  const post = { ...order, method: "POST" as const, headers: CORE_HEADERS };
  const costs = {
    call: await measure({ ...post, url: `${url}/r/${routeId}`, body: '{"operation":"newBusiness.create"}' }),
    read: await measure({ ...order, lua: await requestPaths(path.join(folder, "keys"), stateKeys()) }),
    event: await measure({ ...post, url: `${url}/core/v1/events`, lua: EVENTS }),
    delivery: await measureDeliveries(),
  };
  for (const [name, { partMs, databaseMs, commits, walKb }] of Object.entries(costs)) {
    printFigure(`size_${name}_part_cpu`, partMs, "ms");
    printFigure(`size_${name}_database_cpu`, databaseMs, "ms");
    printFigure(`size_${name}_commits`, commits, "transactions");
    printFigure(`size_${name}_wal`, walKb, "kB");
  }
  printNeeds(costs);
}

/** An app that is ready, and a webhook of its installation. */
async function prepareApp(origin: string): Promise<void> {
  await bench.pool.query(
    `insert into instances (id, version_id, runtime, handle, origin, state, ready_at)
     select gen_random_uuid(), id, 'bench', 'none', $1, 'READY', now() from versions`,
    [origin],
  );
  await bench.pool.query(
    `insert into routes (id, installation_id, kind, path, patterns) values (gen_random_uuid(), $1, 'webhook', '/events', '["policy.*"]')`,
    [bench.installationId],
  );
}

/** As calls hand them out: each has its own, which the gateway has not seen before. */
function stateKeys(): string[] {
  const keyring = readKeyring(bench.variables.PLATFORM_MASTER_KEYS);
  const { installationId, routeId } = bench;
  const expiresAt = new Date(Date.now() + 3_600_000);
  return Array.from({ length: KEYS }, () => {
    const key = { installationId, routeId, attemptId: v7(), revision: 1, epoch: 0, expiresAt };
    return `/state/${sealStateKey(keyring, key)}`;
  });
}

/** The events that were accepted before wait for a worker. */
async function measureDeliveries(): Promise<Cost> {
  const waiting = async () => {
    const { rows } = await bench.pool.query<{ count: number }>(
      "select count(*)::int as count from deliveries where state = 'PENDING'",
    );
    return rows[0]?.count ?? 0;
  };
  const worker = await startPart("worker", [], { ...bench.variables, PLATFORM_RUNTIME: "process" });
  return measureCost(worker.pid, async () => {
    const before = await waiting();
    while ((await waiting()) > 0) await sleep(250);
    return before;
  });
}

/** @param work returns how many requests it sent */
async function measureCost(pid: number | undefined, work: () => Promise<number>): Promise<Cost> {
  const before = await readUse(pid ?? 0);
  const count = await work();
  const after = await readUse(pid ?? 0);
  const each = (name: keyof typeof after) => (after[name] - before[name]) / count;
  return {
    partMs: each("partMs"),
    databaseMs: each("databaseMs"),
    commits: each("commits"),
    walKb: each("walBytes") / 1_000,
  };
}

async function readUse(pid: number) {
  const { rows } = await bench.pool.query<{ backend: number; wal: string; commits: string }>(
    `select pg_backend_pid() as backend, pg_current_wal_lsn() - '0/0'::pg_lsn as wal,
            (select xact_commit from pg_stat_database where datname = current_database()) as commits`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("PostgreSQL returned no row.");
  const postmaster = (await readStat(row.backend)).parent;
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(processes.map((name) => readStat(Number(name)).catch(() => undefined)));
  const database = stats.filter((stat) => stat?.parent === postmaster).map((stat) => stat?.ms ?? 0);
  // Processes that ended count for the one that started them.
  const { ms, endedMs } = await readStat(postmaster);
  return {
    partMs: (await readStat(pid)).ms,
    databaseMs: database.reduce((sum, one) => sum + one, ms + endedMs),
    commits: Number(row.commits),
    walBytes: Number(row.wal),
  };
}

/** The name of a process, in parentheses, may contain spaces. */
async function readStat(pid: number): Promise<{ parent: number; ms: number; endedMs: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [, parent, , , , , , , , , , user, system, endedUser, endedSystem] = fields.map(Number);
  const toMs = (...ticks: (number | undefined)[]) =>
    ticks.reduce<number>((sum, one) => sum + (one ?? 0), 0) * (1_000 / TICKS);
  return { parent: parent ?? 0, ms: toMs(user, system), endedMs: toMs(endedUser, endedSystem) };
}

function printNeeds({ call, read, event, delivery }: Record<"call" | "read" | "event" | "delivery", Cost>) {
  const { apps, installations, calls, events } = wanted;
  const sum = (name: keyof Cost) =>
    calls * (call[name] + read[name]) + events * (event[name] + delivery[name]);
  const processes = (busyMs: number) => Math.max(2, Math.ceil(busyMs / 1_000 / BUSY_AT_MOST) + 1);
  const gateways = processes(calls * (call.partMs + read.partMs) + events * event.partMs);
  const workers = processes(events * delivery.partMs);
  const webs = 2;
  console.log(
    `\nFor ${apps} apps, ${installations} installations, ${calls} calls and ${events} events a second, at this machine's speed:`,
  );
  printFigure("size_gateways", gateways, "processes");
  printFigure("size_workers", workers, "processes");
  printFigure("size_database_cores", sum("databaseMs") / 1_000 / BUSY_AT_MOST, "cores");
  printFigure("size_commits", sum("commits"), "transactions/s");
  printFigure("size_wal", sum("walKb") / 1_000, "MB/s");
  printFigure(
    "size_connections",
    webs * OPEN.web + gateways * OPEN.gateway + workers * OPEN.worker,
    "connections",
  );
  printFigure("size_app_instances", apps * REPLICAS, "instances");
  printFigure("size_app_memory", (apps * REPLICAS * APP_MEMORY_MIB) / 1_024, "GiB");
  printFigure("size_calls_per_installation", calls / installations, "calls/s");
  const shares = {
    "one gateway": (calls * (call.partMs + read.partMs) + events * event.partMs) / 1_000,
    "one worker": (events * delivery.partMs) / 1_000,
    "two cores of PostgreSQL": sum("databaseMs") / 2_000,
    "100 connections": (webs * OPEN.web + gateways * OPEN.gateway + workers * OPEN.worker) / 100,
  };
  const order = Object.entries(shares).toSorted(([, a], [, b]) => b - a);
  console.log(
    `What is used up first: ${order.map(([name, share]) => `${name} ${(share * 100).toFixed(0)}%`).join(", ")}.`,
  );
}
