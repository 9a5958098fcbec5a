/**
 * Publishes an image of 1 GB, gzipped as a whole (`docker save | gzip`), through a real gateway, beside `gzip -dc | sha256sum` on
 * the same file: the least that anybody has to do to know what is in it. They take turns, each time with an empty store, so that
 * the ratio stays valid when the machine's speed drifts. Then the command line publishes a second version with the same base.
 *
 *     npm run bench:ingest [-- <folder for the archives, which are kept there for the next run>]
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { request } from "undici";
import { v7 } from "uuid";
import { runProgram } from "@/cli/program";
import { readCliEnvironment } from "@/cli/terminal/environment";
import { recordTerminal } from "@/cli/terminal/test-terminal";
import { hashApiKey } from "@/lib/server/accounts/credentials/authenticate-api-key";
import { readEnvironment } from "@/lib/server/platform/environment";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { watchMemory } from "@/tests/hostile-images/measure";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { type Archives, writeArchives } from "./large-image";
import { bundle, killParts, median, printFigure, startPart } from "./measure";
import { chooseVariables } from "./measured-gateway";
import { createInstallation } from "./running-installation";

const ROUNDS = 3;
const MIB = 1024 * 1024;
const CLIENT_ID = "pci_bench";
const execute = promisify(execFile);

const kept = process.argv[2];
const folder = kept ?? (await mkdtemp(path.join(tmpdir(), "ingest-")));
try {
  await run(await writeArchives(folder));
} finally {
  killParts();
  if (kept === undefined) await rm(folder, { recursive: true, force: true });
}
process.exit(0);

async function run(archives: Archives): Promise<void> {
  await bundle({
    gateway: "gateway/main.ts",
    "inspect-upload": "lib/server/catalog/publish/inspect-upload-thread.ts",
  });
  const ratios: number[] = [];
  let memory = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const floorMs = await time(() => execute("sh", ["-c", `gzip -dc '${archives.first}' | sha256sum`]));
    const ingested = await ingest(archives, round === ROUNDS);
    ratios.push(floorMs / ingested.ms);
    memory = Math.max(memory, ingested.memory);
    console.log(
      `round ${round}  gzip -dc | sha256sum ${seconds(floorMs)}  ingest ${seconds(ingested.ms)}, ${Math.round(ingested.memory / MIB)} MiB more memory`,
    );
  }
  printFigure("ingest_over_gzip", median(ratios), "ratio");
  printFigure("ingest_memory_mib", memory / MIB, "MiB");
}

/** With a database, a gateway and a store of its own. */
async function ingest(archives: Archives, withSecond: boolean): Promise<{ ms: number; memory: number }> {
  const database = await startTemporaryDatabase("bench");
  const dataDir = await mkdtemp(path.join(tmpdir(), "ingest-data-"));
  try {
    const variables = {
      ...(await chooseVariables(`${database.server}/bench`)),
      PLATFORM_DATA_DIR: dataDir,
    };
    const apiKey = await createKey(variables);
    const gateway = await startPart("gateway", [], variables);
    const memory = watchMemory(gateway.pid ?? 0);
    const ms = await time(() => publish(variables.PLATFORM_GATEWAY_URL, apiKey, archives.first));
    const most = (await memory.stop()) ?? 0;
    if (withSecond) await publishSecond(variables.PLATFORM_GATEWAY_URL, apiKey, archives);
    return { ms, memory: most };
  } finally {
    killParts();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function createKey(variables: Record<string, string>): Promise<string> {
  const { organizationId, userId } = await createInstallation(variables);
  const { pool } = createPlatform(readEnvironment(variables), "bench");
  const apiKey = `pak_${randomBytes(32).toString("base64url")}`;
  await pool.query(
    "insert into api_keys (id, organization_id, name, client_id, key_hash, created_by) values ($1, $2, 'Bench', $3, $4, $5)",
    [v7(), organizationId, CLIENT_ID, hashApiKey(apiKey), userId],
  );
  await pool.end();
  return apiKey;
}

async function publish(url: string, apiKey: string, archive: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${CLIENT_ID}:${apiKey}`).toString("base64")}`;
  const { statusCode, body } = await request(`${url}/publish/v1/apps/bench/bench/versions`, {
    method: "POST",
    headers: { authorization, "content-type": "application/x-tar" },
    body: createReadStream(archive, { highWaterMark: MIB }),
    headersTimeout: 0,
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`publishing returned ${statusCode}: ${text}`);
}

/** What the store has more than before is what the second version sent: the base is not sent again. */
async function publishSecond(url: string, apiKey: string, { second, secondBytes }: Archives): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), "ingest-cli-"));
  const manifest = path.join(home, "platform-app.json");
  await writeFile(manifest, JSON.stringify({ name: "bench/bench", version: "1.1.0", app: { fields: [] } }));
  const terminal = recordTerminal();
  const environment = readCliEnvironment({
    XDG_CONFIG_HOME: home,
    PLATFORM_URL: url,
    PLATFORM_CLIENT_ID: CLIENT_ID,
    PLATFORM_API_KEY: apiKey,
  });
  let status = 0;
  const ms = await time(async () => {
    status = await runProgram(["publish", second, "--manifest", manifest], environment, terminal);
  });
  await rm(home, { recursive: true, force: true });
  console.log(terminal.lines.join("\n"));
  if (status !== 0) throw new Error("the second version was not published");
  const { size } = await stat(second);
  console.log(`second version: ${seconds(ms)} for an archive of ${Math.round(size / MIB)} MiB`);
  const uploaded = /Uploaded ([\d.]+) MB/.exec(terminal.lines.join("\n"))?.[1];
  printFigure("ingest_second_uploaded_over_new", (Number(uploaded) * 1e6) / secondBytes, "ratio");
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
