import { spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { saveDataFolder, saveTables, known } from "./record-traffic";

export interface RunningPlatform {
  webUrl: string;
  gatewayUrl: string;
  dataDir: string;
  /** Everything that it printed so far. */
  output: () => string;
  stop: () => Promise<number | null>;
}

/** Settings of the demo's customers that are sealed. */
export const DEMO_SECRETS = ["harbor-signs-with-this", "alpine-signs-with-that", "alpine-provider-account"];

/** The last line of what it prints when it is ready. */
const BOX = "moderator@demo.example";

/** `npm start`, as a person runs it, on a folder and on ports of its own. Resolves when its box is printed. */
export async function startPlatform(runtime: "auto" | "process"): Promise<RunningPlatform> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "platform-e2e-"));
  // As root, PostgreSQL runs as a user of its own, who must be able to enter.
  await chmod(dataDir, 0o755);
  const [webPort, gatewayPort] = [await quietPort(), await quietPort()];
  const webUrl = `http://localhost:${webPort}`;
  const child = spawn(process.execPath, ["launcher/start.mjs"], {
    cwd: path.join(import.meta.dirname, ".."),
    env: {
      ...process.env,
      NODE_ENV: "development",
      PLATFORM_DATA_DIR: dataDir,
      PLATFORM_WEB_PORT: String(webPort),
      PLATFORM_WEB_URL: webUrl,
      PLATFORM_GATEWAY_PORT: String(gatewayPort),
      PLATFORM_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
      PLATFORM_RUNTIME: runtime,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const stop = async () => {
    const name = path.basename(dataDir);
    if (child.exitCode === null && output.includes(BOX))
      await saveTables(name, await readDatabaseUrl({ dataDir }));
    const code = await end(child);
    await saveDataFolder(name, dataDir, output);
    return code;
  };
  const platform = {
    webUrl,
    gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
    dataDir,
    output: () => output,
    stop,
  };
  for (const secret of DEMO_SECRETS) known(`${secret} of the demo`, secret);
  try {
    await waitForBox(child, () => output);
    await waitForLaunches(platform);
  } catch (error) {
    await stop();
    throw error;
  }
  return platform;
}

async function waitForBox(child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + 240_000;
  while (!output().includes(BOX)) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output()}`);
    if (Date.now() > deadline) throw new Error(`npm start did not get ready:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    const force = setTimeout(() => child.kill("SIGKILL"), 40_000);
    child.once("exit", (code) => {
      clearTimeout(force);
      resolve(code);
    });
    child.kill("SIGTERM");
  });
}

/** Of the embedded PostgreSQL, for what no page can set up yet. */
export async function readDatabaseUrl({ dataDir }: Pick<RunningPlatform, "dataDir">): Promise<string> {
  const secrets: { postgresPassword: string; ports: { postgres: number } } = JSON.parse(
    await readFile(path.join(dataDir, "secrets.json"), "utf8"),
  );
  return `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${secrets.ports.postgres}/platform`;
}

/** Until the demo's apps run: each network of containers that comes up makes Chromium break off what is loading. */
async function waitForLaunches(platform: RunningPlatform): Promise<void> {
  const client = new pg.Client({ connectionString: await readDatabaseUrl(platform) });
  await client.connect();
  const launching = "select from installations where state = 'LAUNCHING'";
  for (let tries = 0; tries < 300 && (await client.query(launching)).rowCount !== 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 200));
  await client.end();
}

/** A free port outside the range that the system itself hands out: nothing that starts meanwhile is given it. */
async function quietPort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
  return isFree ? port : quietPort();
}
