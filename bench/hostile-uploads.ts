/**
 * Sends small hostile archives to a real gateway with a real PostgreSQL, and measures meanwhile how long state reads take,
 * how much memory the gateway needs, whether each archive is refused with its code within 10 s, and what is left behind.
 */
import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { bundleEntryPoints } from "@/launcher/build.mjs";
import { hashApiKey } from "@/lib/server/api-keys/authenticate-api-key";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { createPlatform } from "@/lib/server/platform/platform";
import { freePort } from "@/lib/server/runtimes/free-port";
import { HOSTILE_UPLOADS, type HostileUpload } from "@/tests/hostile-uploads";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { createInstallation } from "./running-installation";

/** Idle and busy take turns, so that ratios stay valid when the machine's speed drifts. */
const ROUNDS = 5;
const SECONDS = 4;
/** State reads per second, sent on time, whether or not the earlier ones are answered. */
const RATE = 100;
const REFUSED_WITHIN_MS = 10_000;
/** Between the starts of two uploads: more often would measure a flood of requests, whatever they contain. */
const PAUSE_MS = 250;
const PAGE_BYTES = 4096;
const VERSIONS = "/publish/v1/apps/bench/bench/versions";
const MIB = 1024 * 1024;

const database = await startTemporaryDatabase("bench");
const dataDir = await mkdtemp(path.join(tmpdir(), "platform-hostile-"));
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let gateway: ChildProcess | undefined;
let failed = false;
try {
  failed = !(await run());
} finally {
  gateway?.kill("SIGKILL");
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

async function run(): Promise<boolean> {
  const port = await freePort();
  const variables = {
    NODE_ENV: "production",
    DATABASE_URL: `${database.server}/bench`,
    PLATFORM_MASTER_KEYS: newMasterKey("bench"),
    PLATFORM_DATA_DIR: dataDir,
    PLATFORM_GATEWAY_PORT: String(port),
    PLATFORM_LOG_LEVEL: "warn",
  };
  const base = `http://127.0.0.1:${port}`;
  const { key, organizationId, userId } = await createInstallation(variables);
  const authorization = await createCredential(variables, organizationId, userId);
  await bundleEntryPoints();
  gateway = await startGateway(variables);
  const pid = gateway.pid ?? 0;
  const readState = () => readOnce(`${base}/state/${key}`);

  await sample(readState, sleep(4_000));
  const memory = watchMemory(pid);
  let worst = 0;
  let isRefused = true;
  for (const upload of HOSTILE_UPLOADS) {
    const archive = await upload.archive();
    const rounds: { idle: number; busy: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const idle = p99(await sample(readState, sleep(SECONDS * 1000)));
      const sending = sendRepeatedly(`${base}${VERSIONS}`, authorization, archive, upload);
      const busy = p99(await sample(readState, sending));
      rounds.push({ idle, busy });
      isRefused = (await sending) && isRefused;
    }
    const ratio = median(rounds.map(({ idle, busy }) => busy / idle));
    worst = Math.max(worst, ratio);
    const shown = rounds.map(({ idle, busy }) => `${busy.toFixed(1)} (${idle.toFixed(1)})`);
    console.log(`${upload.name} ${archive.length} bytes, p99 of state reads (idle), ms: ${shown.join(", ")}`);
    console.log(`figure hostile_upload_state_p99_over_idle_${upload.name} ${ratio.toFixed(2)} ratio`);
  }
  const extra = await memory.stop();
  const left = await readdir(path.join(dataDir, "bundles"));
  if (left.length > 0) console.error(`Left behind: ${left.join(", ")}`);
  console.log(`figure hostile_upload_state_p99_over_idle ${worst.toFixed(2)} ratio`);
  if (extra !== undefined) console.log(`figure hostile_upload_memory_mib ${Math.round(extra / MIB)} MiB`);
  return isRefused && left.length === 0;
}

async function createCredential(
  variables: Record<string, string>,
  organizationId: string,
  userId: string,
): Promise<string> {
  const platform = createPlatform(readEnvironment(variables), "bench");
  const apiKey = `pak_${randomBytes(32).toString("base64url")}`;
  await platform.pool.query(
    "insert into api_keys (id, organization_id, name, client_id, key_hash, created_by) values ($1, $2, 'Bench', 'pci_bench', $3, $4)",
    [v7(), organizationId, hashApiKey(apiKey), userId],
  );
  await platform.pool.end();
  return `Basic ${Buffer.from(`pci_bench:${apiKey}`).toString("base64")}`;
}

function startGateway(variables: Record<string, string>): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = fork(".build/gateway.js", [], { execArgv: [], env: { ...process.env, ...variables } });
    child.once("message", () => resolve(child));
    child.once("exit", (code) => reject(new Error(`the gateway exited with code ${code}`)));
  });
}

/** How long each state read took, in milliseconds, until `until` is settled. */
async function sample(readState: () => Promise<number>, until: Promise<unknown>): Promise<number[]> {
  const reads: Promise<number>[] = [];
  const start = performance.now();
  let isOver = false;
  void until.finally(() => (isOver = true));
  while (!isOver) {
    reads.push(readState());
    await sleep(Math.max(0, start + (reads.length * 1000) / RATE - performance.now()));
  }
  return Promise.all(reads);
}

function readOnce(url: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a state read returned ${response.statusCode}`));
      response.resume().once("end", () => resolve(performance.now() - start));
    })
      .once("error", reject)
      .end();
  });
}

/** Sends the archive again and again for some seconds. False if one is not refused as it should be. */
async function sendRepeatedly(
  url: string,
  authorization: string,
  archive: Buffer,
  { name, code }: HostileUpload,
): Promise<boolean> {
  const start = performance.now();
  do {
    const sent = performance.now();
    const headers = { authorization, "content-type": "application/x-tar" };
    const answer = await fetch(url, { method: "POST", headers, body: new Uint8Array(archive) });
    const refusal = await answer.text();
    const tookMs = performance.now() - sent;
    const isExpected = answer.status === 400 && refusal.includes(`"code":"${code}"`);
    if (!isExpected || tookMs > REFUSED_WITHIN_MS) {
      console.error(`${name}: ${answer.status} after ${Math.round(tookMs)} ms: ${refusal.slice(0, 300)}`);
      return false;
    }
    await sleep(Math.max(0, PAUSE_MS - tookMs));
  } while (performance.now() - start < SECONDS * 1000);
  return true;
}

/** The most memory that the process needs over what it has now. Undefined where the system doesn't tell. */
function watchMemory(pid: number): { stop: () => Promise<number | undefined> } {
  const read = async () => {
    const pages = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => undefined);
    return pages === undefined ? undefined : Number(pages.split(" ")[1]) * PAGE_BYTES;
  };
  let isOver = false;
  const watching = (async () => {
    const before = await read();
    if (before === undefined) return undefined;
    let most = before;
    while (!isOver) {
      most = Math.max(most, (await read()) ?? 0);
      await sleep(50);
    }
    return most - before;
  })();
  return {
    stop: () => {
      isOver = true;
      return watching;
    },
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function p99(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}
