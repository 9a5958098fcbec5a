/**
 * `npm run test:hostile-images`: sends every hostile archive, then thousands of mutated ones, to a real gateway with a real
 * PostgreSQL. Measures meanwhile how long state reads take and how much memory the gateway needs. See docs/decisions/012.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { v7 } from "uuid";
import { createInstallation } from "@/bench/running-installation";
import { bundleEntryPoints } from "@/launcher/build.mjs";
import { hashApiKey } from "@/lib/server/accounts/credentials/authenticate-api-key";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { freePort } from "@/lib/server/platform/machine";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { basic } from "../matrix/world";
import { startTemporaryDatabase } from "../temporary-database";
import { listCases } from "./list-cases";
import { median, p99, sampleUntil, watchMemory } from "./measure";
import { honestArchives, mutate } from "./mutate";
import { type Answer, isExpected, sendArchive } from "./send-archive";

const WITHIN_MS = 10_000;
const MOST_EXTRA_MIB = 128;
const MOST_RATIO = 3;
/** Idle and busy take turns, so that their ratio stays valid when the machine's speed drifts. */
const ROUNDS = 5;
const IDLE_MS = 4_000;
/** Between the starts of two uploads: more often would measure a flood of requests, whatever they contain. */
const PAUSE_MS = 100;
const MIB = 1024 * 1024;

const { values } = parseArgs({
  options: { seed: { type: "string", default: "6" }, mutations: { type: "string", default: "10000" } },
});
const seed = Number(values.seed);
const mutations = Number(values.mutations);

const database = await startTemporaryDatabase("bench");
const dataDir = await mkdtemp(path.join(tmpdir(), "platform-hostile-"));
let gateway: ChildProcess | undefined;
let passed = 0;
let failed = 0;
try {
  await run();
} finally {
  gateway?.kill("SIGKILL");
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

function judge(isGood: boolean, what: string): void {
  if (isGood) passed += 1;
  else {
    failed += 1;
    console.error(`FAILED: ${what}`);
  }
}

async function run(): Promise<void> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const variables = {
    NODE_ENV: "production",
    DATABASE_URL: `${database.server}/bench`,
    PLATFORM_MASTER_KEYS: newMasterKey("bench"),
    PLATFORM_DATA_DIR: dataDir,
    PLATFORM_GATEWAY_PORT: String(port),
    PLATFORM_LOG_LEVEL: "warn",
  };
  const { key, organizationId, userId } = await createInstallation(variables);
  const authorization = await createCredential(variables, organizationId, userId);
  await bundleEntryPoints();
  gateway = await startGateway(variables);
  let isAlive = true;
  gateway.once("exit", () => (isAlive = false));
  const url = `${base}/state/${key}`;
  await sampleUntil(url, sleep(IDLE_MS));
  const memory = watchMemory(gateway.pid ?? 0);

  const cases = listCases(seed);
  const size = Math.ceil(cases.length / ROUNDS);
  const rounds: { idle: number; busy: number }[] = [];
  let slowest = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    // Built before, because building takes this machine's time too.
    const batch = cases.slice(round * size, (round + 1) * size);
    const archives: Buffer[] = [];
    for (const [at, { archive }] of batch.entries()) archives.push(await archive(`9.${round * size + at}.0`));
    const idle = p99(await sampleUntil(url, sleep(IDLE_MS)));
    const sending = (async () => {
      for (const [at, { name, expected }] of batch.entries()) {
        const answer = await sendPaced(base, authorization, archives[at] ?? Buffer.alloc(0));
        slowest = Math.max(slowest, answer.tookMs);
        const shown = `${name}: ${answer.status} after ${Math.round(answer.tookMs)} ms: ${answer.body.slice(0, 300)}`;
        judge(isExpected(answer, expected) && answer.tookMs <= WITHIN_MS, `${shown} instead of ${expected}`);
      }
    })();
    rounds.push({ idle, busy: p99(await sampleUntil(url, sending)) });
  }
  const ratio = median(rounds.map(({ idle, busy }) => busy / idle));
  const extra = await memory.stop();

  const honest = await honestArchives("9.9000.0");
  let accepted = 0;
  for (let each = 0; each < mutations && isAlive; each += 1) {
    const bytes = mutate(honest[each % honest.length] ?? Buffer.alloc(0), seed * 1_000_000 + each);
    const answer = await sendArchive(base, authorization, bytes).catch(toAnswer);
    slowest = Math.max(slowest, answer.tookMs);
    if (answer.status < 300) accepted += 1;
    const isAnswered = [200, 201, 400, 409].includes(answer.status) && answer.tookMs <= WITHIN_MS;
    judge(isAnswered, `mutation ${each}: ${answer.status} ${answer.body.slice(0, 300)}`);
  }
  const left = (await readdir(path.join(dataDir, "bundles"))).filter((name) => name.startsWith("incoming-"));
  judge(left.length === 0, `left behind: ${left.join(", ")}`);
  judge(isAlive, "the gateway exited");
  judge(ratio <= MOST_RATIO, `state reads took ${ratio.toFixed(2)} times as long`);
  if (extra !== undefined) judge(extra <= MOST_EXTRA_MIB * MIB, `${Math.round(extra / MIB)} MiB more memory`);

  console.log(`figure hostile_image_cases ${cases.length} archives`);
  console.log(`figure hostile_image_mutations ${mutations} archives`);
  console.log(`figure hostile_image_mutations_accepted ${accepted} archives`);
  console.log(`figure hostile_image_slowest_ms ${Math.round(slowest)} ms`);
  console.log(`figure hostile_image_state_p99_over_idle ${ratio.toFixed(2)} ratio`);
  if (extra !== undefined) console.log(`figure hostile_image_memory_mib ${Math.round(extra / MIB)} MiB`);
  console.log(`figure hostile_image_left_behind ${left.length} folders`);
}

async function sendPaced(base: string, authorization: string, archive: Buffer): Promise<Answer> {
  const answer = await sendArchive(base, authorization, archive).catch(toAnswer);
  await sleep(Math.max(0, PAUSE_MS - answer.tookMs));
  return answer;
}

function toAnswer(error: unknown): Answer {
  return { status: 0, body: String(error), tookMs: 0 };
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
  return basic({ clientId: "pci_bench", apiKey });
}

function startGateway(variables: Record<string, string>): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = fork(".build/gateway.js", [], { execArgv: [], env: { ...process.env, ...variables } });
    child.once("message", () => resolve(child));
    child.once("exit", (code) => reject(new Error(`the gateway exited with code ${code}`)));
  });
}
