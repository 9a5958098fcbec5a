/**
 * Measures a backup and a restoration of calls and images, and what a backup does to synchronous calls meanwhile: the same load
 * without and with backups, in turns.
 *
 *     npm run bench:backup [-- <thousands of calls> <megabytes of images> <seconds of a round>]
 */
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openStore } from "@/lib/server/images/blob-store";
import { readEnvironment } from "@/lib/server/platform/environment";
import { freePort } from "@/lib/server/platform/machine";
import { MANIFEST } from "@/lib/server/surface/backup/backup-format";
import { bundle, load, type Measured, median, printFigure, startPart } from "./measure";
import { CORE_HEADERS, prepareGateway, startGateway } from "./measured-gateway";

const ROUNDS = 3;
const CONNECTIONS = 4;
const BLOB_BYTES = 32 * 1024 * 1024;
const GIGABYTE = 1_000_000_000;

const [thousands = 700, megabytes = 300, seconds = 10] = process.argv.slice(2).map(Number);

const folder = await mkdtemp(path.join(tmpdir(), "bench-backup-"));
const bench = await prepareGateway();
try {
  await measure();
} finally {
  await bench.end();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

async function measure(): Promise<void> {
  const { url: gateway, pool, routeId } = bench;
  const variables = { ...bench.variables, PLATFORM_DATA_DIR: path.join(folder, "data") };
  await seedCalls();
  await seedImages(variables);
  const appPort = await freePort();
  await pool.query(
    `insert into instances (id, version_id, runtime, handle, origin, state, ready_at)
     select gen_random_uuid(), id, 'bench', 'none', $1, 'READY', now() from versions`,
    [`http://127.0.0.1:${appPort}`],
  );
  await bundle({ gateway: "gateway/main.ts", app: "bench/bare-app.ts" });
  await startPart("app", [String(appPort)], variables);
  const endGateway = await startGateway(variables);
  const order = {
    url: `${gateway}/r/${routeId}`,
    method: "POST" as const,
    headers: CORE_HEADERS,
    body: JSON.stringify({ operation: "newBusiness.create", policy: { vin: "YV1CZ852851194259" } }),
    connections: CONNECTIONS,
  };
  await load({ ...order, seconds: 2 });

  const alone: Measured[] = [];
  const during: Measured[] = [];
  const perGigabyte: number[] = [];
  let last = "";
  let memory = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await load({ ...order, seconds }));
    const work = load({ ...order, seconds });
    let going = true;
    const ended = work.finally(() => (going = false));
    for (let at = 0; going || at === 0; at += 1) {
      const to = path.join(folder, `backup-${round}-${at}`);
      const start = performance.now();
      memory = Math.max(memory, await upkeep("backup", ["--to", to], variables));
      const taken = (performance.now() - start) / 1000;
      perGigabyte.push(taken / ((await sizeOf(to)) / GIGABYTE));
      if (last !== "") await rm(last, { recursive: true });
      last = to;
    }
    during.push(await ended);
    console.log(
      `round ${round + 1}  alone p50 ${alone.at(-1)?.p50Ms.toFixed(2)} ms p99 ${alone.at(-1)?.p99Ms.toFixed(1)} ms,` +
        ` during backups p50 ${during.at(-1)?.p50Ms.toFixed(2)} ms p99 ${during.at(-1)?.p99Ms.toFixed(1)} ms`,
    );
  }
  await endGateway();
  const ratio = (of: (one: Measured) => number) =>
    median(during.map((one, round) => of(one) / of(alone[round] ?? one)));
  printFigure("backup_size", (await sizeOf(last)) / 1_000_000, "MB");
  printFigure("backup_memory", memory, "MB");
  printFigure("backup_seconds_per_gb", median(perGigabyte), "s/GB");
  printFigure(
    "backup_call_p50_ratio",
    ratio(({ p50Ms }) => p50Ms),
    "during/without",
  );
  printFigure(
    "backup_call_p99_ratio",
    ratio(({ p99Ms }) => p99Ms),
    "during/without",
  );
  printFigure(
    "backup_call_rate_ratio",
    ratio(({ rate }) => rate),
    "during/without",
  );

  await pool.query("create database restored");
  const target = {
    ...variables,
    DATABASE_URL: new URL("/restored", bench.databaseUrl).href,
    PLATFORM_DATA_DIR: path.join(folder, "restored"),
  };
  const start = performance.now();
  const restoring = await upkeep("restore", ["--from", last], target);
  const taken = (performance.now() - start) / 1000;
  printFigure("restore_seconds_per_gb", taken / ((await sizeOf(last)) / GIGABYTE), "s/GB");
  printFigure("restore_memory", restoring, "MB");
}

async function seedCalls(): Promise<void> {
  await bench.pool.query("set statement_timeout = 0");
  for (let at = 0; at < thousands; at += 50)
    await bench.pool.query(
      `insert into attempts (id, organization_id, installation_id, route_id, kind, target, started_at, ended_at, status,
                             platform_ms, duration_ms, payload_bytes, answer_bytes)
       select gen_random_uuid(), i.organization_id, i.id, r.id, r.kind, r.path, now() - n * interval '1 second', now(), 200,
              1, n % 400, 300, 200
         from installations i join routes r on r.installation_id = i.id and r.id = $1, generate_series(1, $2::int) n`,
      [bench.routeId, Math.min(50, thousands - at) * 1000],
    );
}

/** Blobs that the bench's version names. */
async function seedImages(variables: Record<string, string>): Promise<void> {
  const store = openStore(readEnvironment(variables));
  for (let left = megabytes * 1_000_000; left > 0; left -= BLOB_BYTES) {
    const content = randomBytes(Math.min(left, BLOB_BYTES));
    const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
    const blob = { kind: "blob" as const, digest, bytes: content.length };
    await store.write(blob, inOneChunk(content));
    await bench.pool.query(
      "insert into stored_blobs (digest, kind, bytes, touched_by) values ($1, 'blob', $2, gen_random_uuid())",
      [digest, content.length],
    );
    await bench.pool.query(
      "insert into image_blobs (archive_digest, digest) select archive_digest, $1 from versions limit 1",
      [digest],
    );
  }
}

async function* inOneChunk(content: Buffer) {
  yield content;
}

/** Returns how much memory the process used at most, in megabytes; 0 if this system doesn't say. */
async function upkeep(command: string, args: string[], variables: Record<string, string>): Promise<number> {
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, ["upkeep/run.mjs", command, ...args], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  let peak = 0;
  const timer = setInterval(() => {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readStatus(child.pid))?.[1];
    peak = Math.max(peak, Number(kilobytes ?? 0) / 1000);
  }, 100);
  const [code] = await once(child, "exit");
  clearInterval(timer);
  if (code !== 0) throw new Error(`npm run ${command} ended with ${String(code)}`);
  return peak;
}

function readStatus(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

async function sizeOf(backup: string): Promise<number> {
  const manifest: { tables: { bytes: number }[]; blobs: { bytes: number }[] } = JSON.parse(
    await readFile(path.join(backup, MANIFEST), "utf8"),
  );
  return [...manifest.tables, ...manifest.blobs].reduce((sum, { bytes }) => sum + bytes, 0);
}
