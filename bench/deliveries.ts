/**
 * Measures deliveries, from accepted events to the app's 2xx, beside pg-boss and graphile-worker, whose jobs send the same
 * POST from the same number of lanes, on the same PostgreSQL. They take turns on one machine, so that ratios stay valid when its
 * speed drifts.
 *
 * All do what is promised: the event is committed, it is sent at least once, and its result is stored. One process each, with
 * ten connections, the same HTTP client, and the same headers, of which the state key and the signature are made for each
 * POST. pg-boss keeps completed jobs, as we keep deliveries and attempts; graphile-worker deletes them, and so writes less.
 * Each finds the same number of events waiting. What counts is the time from the first to the last that the app answers,
 * after a warm-up: a process that just started compiles its code, and a worker runs for weeks.
 *
 *     npm run bench:deliveries [-- <events of a round> [--profile]]
 *
 * `--profile` measures the platform alone, and writes a CPU profile of its worker into `.build/bench/profile`.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { runMigrations } from "graphile-worker";
import pg from "pg";
import PgBoss from "pg-boss";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { freePort } from "@/lib/server/platform/machine";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { bundle, killParts, median, printFigure, startPart } from "./measure";
import { createInstallation } from "./running-installation";

const ROUNDS = 3;
/** Deliveries before those that count. */
const WARM_UP = 10_000;
/** Customers with an app each: one alone gets half of the lanes. */
const CUSTOMERS = 8;
const LATENCY_SECONDS = 8;
const CHUNK_MS = 20;
const PROFILE = ".build/bench/profile";

const total = Number(process.argv[2] ?? 10_000);
const profiled = process.argv.includes("--profile");
type Queue = "ours" | "pg-boss" | "graphile-worker";
const QUEUES: readonly Queue[] = profiled ? ["ours"] : ["ours", "pg-boss", "graphile-worker"];

interface Report {
  /** From the first to the last event. */
  ms: number;
  p50Ms: number;
  p95Ms: number;
}

const database = await startTemporaryDatabase("bench");
const databaseUrl = `${database.server}/bench`;
const pool = new pg.Pool({ connectionString: databaseUrl });
try {
  await run();
} finally {
  killParts();
  await pool.end();
  await database.stop();
}
process.exit(0);

async function run(): Promise<void> {
  const appPort = await freePort();
  const origin = `http://127.0.0.1:${appPort}`;
  const variables = {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    PLATFORM_MASTER_KEYS: newMasterKey("bench"),
    PLATFORM_RUNTIME: "process",
    PLATFORM_LOG_LEVEL: "warn",
  };
  await createInstallation(variables);
  await addCustomers(origin);
  await prepareQueues();
  await bundle({
    worker: "worker/main.ts",
    queue: "bench/queue-worker.ts",
    "counting-app": "bench/counting-app.ts",
  });
  const app = await startPart("counting-app", [String(appPort)], variables);
  const start = (queue: Queue, execArgv: string[] = []) =>
    queue === "ours"
      ? startPart("worker", [], variables, execArgv)
      : startPart("queue", [queue, databaseUrl, origin], variables, execArgv);

  const rates: Record<Queue, number[]> = { ours: [], "pg-boss": [], "graphile-worker": [] };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const queue of QUEUES) {
      const profile = profiled && queue === "ours" && round === ROUNDS;
      const { ms } = await measure(app, { skip: WARM_UP, expect: total }, async () => {
        await fill(queue, WARM_UP + total);
        await pool.query("analyze");
        return start(queue, profile ? ["--cpu-prof", `--cpu-prof-dir=${PROFILE}`] : []);
      });
      const rate = (total - 1) / (ms / 1000);
      // The first round only warms up.
      if (round > 0) rates[queue].push(rate);
      console.log(`round ${round}  ${queue.padEnd(15)} ${Math.round(rate)} deliveries/s`);
    }
  const best = (round: number) =>
    Math.max(rates["pg-boss"][round] ?? 0, rates["graphile-worker"][round] ?? 0);
  for (const queue of QUEUES)
    printFigure(`deliveries_${queue.replace("-", "_")}_rate`, median(rates[queue]), "deliveries/s");
  printFigure(
    "deliveries_over_best_queue",
    median(rates.ours.map((rate, round) => rate / best(round))),
    "ratio",
  );
  await measureLatency(app, () => start("ours"), median(rates.ours) / 2);
}

/** Waits until the app answered so many events, after some that do not count. The worker that sends them ends then. */
async function measure(
  app: ChildProcess,
  count: { skip: number; expect: number },
  begin: () => Promise<ChildProcess>,
): Promise<Report> {
  app.send(count);
  const reported: Promise<Report> = once(app, "message").then(([report]) => report);
  const worker = await begin();
  const report = await reported;
  await sleep(300);
  worker.removeAllListeners("exit");
  worker.kill("SIGTERM");
  const killed = setTimeout(() => worker.kill("SIGKILL"), 5_000);
  await once(worker, "exit");
  clearTimeout(killed);
  await pool.query("truncate deliveries, attempts, events cascade");
  await pool.query("delete from pgboss.job");
  await pool.query("delete from graphile_worker._private_jobs");
  return report;
}

/** Events at half of the peak rate, stored in small groups as the gateway does. */
async function measureLatency(
  app: ChildProcess,
  start: () => Promise<ChildProcess>,
  rate: number,
): Promise<void> {
  const chunk = Math.ceil((rate * CHUNK_MS) / 1000);
  const chunks = Math.floor((LATENCY_SECONDS * 1000) / CHUNK_MS);
  const skip = chunk * Math.floor(chunks / 4);
  const count = { skip: WARM_UP + skip, expect: chunk * chunks - skip };
  const { p50Ms, p95Ms } = await measure(app, count, async () => {
    await fill("ours", WARM_UP);
    await pool.query("analyze");
    const worker = await start();
    await untilDelivered();
    const from = performance.now();
    for (let at = 0; at < chunks; at += 1) {
      await sleep(Math.max(0, from + at * CHUNK_MS - performance.now()));
      await fill("ours", chunk);
    }
    return worker;
  });
  printFigure("first_attempt_rate", Math.round((chunk * 1000) / CHUNK_MS), "deliveries/s");
  printFigure("first_attempt_p50_ms", p50Ms, "ms");
  printFigure("first_attempt_p95_ms", p95Ms, "ms");
}

async function untilDelivered(): Promise<void> {
  const waiting = "select 1 from deliveries where state = 'PENDING' limit 1";
  while ((await pool.query(waiting)).rowCount !== 0) await sleep(100);
}

/** An event of usual size. */
function createEvent() {
  return {
    id: "evt",
    type: "policy.issued",
    timestamp: "2026-01-01T00:00:00Z",
    sentAt: Date.now(),
    data: { policy: { number: "P-1", vehicle: { vin: "YV1CZ852851194259" }, notes: "x".repeat(600) } },
  };
}

async function fill(queue: Queue, count: number): Promise<void> {
  const body = JSON.stringify(createEvent());
  if (queue === "ours")
    await pool.query(
      `with new as (
         insert into events (id, tenant_id, event_id, type, body, body_hash)
         select uuidv7(), t.id, gen_random_uuid(), 'policy.issued', $1, '-'
           from generate_series(1, $2::int) n
           join (select id, row_number() over (order by id) - 1 as at from tenants) t on t.at = n % ${CUSTOMERS}
         returning id, tenant_id)
       insert into deliveries (id, event_id, installation_id, route_id, event_type)
       select uuidv7(), new.id, i.id, r.id, 'policy.issued'
         from new join installations i on i.tenant_id = new.tenant_id
         join routes r on r.installation_id = i.id and r.kind = 'webhook'`,
      [body, count],
    );
  else if (queue === "pg-boss")
    await pool.query(
      "insert into pgboss.job (name, data) select 'events', $1::jsonb from generate_series(1, $2::int)",
      [body, count],
    );
  else
    await pool.query("select graphile_worker.add_job('events', $1::json) from generate_series(1, $2::int)", [
      body,
      count,
    ]);
  await pool.query("select pg_notify('platform_work', '')");
}

async function prepareQueues(): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl });
  await boss.start();
  await boss.createQueue("events");
  await boss.stop({ graceful: false, wait: true });
  await runMigrations({ connectionString: databaseUrl });
}

/** More customers, each with an app of its own, and a webhook for each installation. All apps are the same process. */
async function addCustomers(origin: string): Promise<void> {
  for (let n = 1; n < CUSTOMERS; n += 1) {
    const ids = ["organization", "listing", "version", "tenant", "installation"].map(
      (each) => `${each} ${n}`,
    );
    await pool.query(
      `with o as (insert into organizations (id, slug, name) values (md5($1)::uuid, 'bench-${n}', 'Bench') returning id),
            l as (insert into listings (id, organization_id, app_name, title, about, requirements, state)
                  select md5($2)::uuid, o.id, 'bench', 'Bench', '{}', '{}', 'PUBLIC' from o returning id),
            v as (insert into versions (id, listing_id, number, manifest, manifest_text, image_manifest_text, image_digest,
                                        archive_digest, archive_bytes, published_by)
                  select md5($3)::uuid, l.id, '1.0.0', '{}', '{}', '{}', '-', '-', 0, '-' from l returning id),
            t as (insert into tenants (id, organization_id, name, host_name, core_api_url)
                  select md5($4)::uuid, o.id, 'T', 'bench-${n}.core.example', 'https://core.example' from o returning id)
       insert into installations (id, organization_id, tenant_id, listing_id, version_id, state, created_by)
       select md5($5)::uuid, o.id, t.id, l.id, v.id, 'RUNNING', (select id from users limit 1) from o, l, v, t`,
      ids,
    );
  }
  await pool.query(
    "insert into routes (id, installation_id, kind, path) select gen_random_uuid(), id, 'webhook', '/events' from installations",
  );
  await pool.query(
    `insert into instances (id, version_id, runtime, handle, origin, state, ready_at)
     select gen_random_uuid(), id, 'bench', 'none', $1, 'READY', now() from versions`,
    [origin],
  );
}
