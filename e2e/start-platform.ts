import { type ChildProcess, execFile, spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { saveDataFolder, saveTables, known } from "./record-traffic";

const run = promisify(execFile);

/** Plain data, so that Playwright's workers can share a platform that its global set-up started. */
export interface RunningPlatform {
  webUrl: string;
  gatewayUrl: string;
  dataDir: string;
  /** The file with everything that the platform printed. */
  outputFile: string;
}

export interface StartedPlatform extends RunningPlatform {
  /** Stops all processes of a part, as they are, without ending them. Resolves with what lets them go on. */
  freeze: (part: "web" | "gateway" | "worker" | "postgres") => Promise<() => void>;
  /** Resolves with the exit code. */
  stop: () => Promise<number | null>;
}

/** Secret settings of the demo's customers. */
export const DEMO_SECRETS = ["harbor-signs-with-this", "alpine-signs-with-that", "alpine-provider-account"];

/** In the last line that `npm start` prints when everything is running. */
const READY = "moderator@demo.example";

/**
 * Runs `npm start` with its own folder and ports. Resolves when the platform is ready; its demo grows on.
 * @param configure more environment variables, for a platform at this URL
 */
export async function startPlatform(
  runtime: "auto" | "process",
  configure: (webUrl: string) => Promise<Record<string, string>> = async () => ({}),
): Promise<StartedPlatform> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "platform-e2e-"));
  // Under root, PostgreSQL runs as its own user, who must be able to enter the folder.
  await chmod(dataDir, 0o755);
  const [webPort, gatewayPort] = [await findQuietPort(), await findQuietPort()];
  const platform: RunningPlatform = {
    webUrl: `http://localhost:${webPort}`,
    gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
    dataDir,
    outputFile: `${dataDir}.log`,
  };
  const configured = await configure(platform.webUrl);
  const child = spawn(process.execPath, ["launcher/start.mjs"], {
    cwd: path.join(import.meta.dirname, ".."),
    env: {
      ...process.env,
      NODE_ENV: "development",
      PLATFORM_DATA_DIR: dataDir,
      PLATFORM_WEB_PORT: String(webPort),
      PLATFORM_WEB_URL: platform.webUrl,
      PLATFORM_GATEWAY_PORT: String(gatewayPort),
      PLATFORM_GATEWAY_URL: platform.gatewayUrl,
      PLATFORM_RUNTIME: runtime,
      ...configured,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  writeFileSync(platform.outputFile, "");
  const append = (chunk: Buffer) => appendFileSync(platform.outputFile, chunk);
  child.stdout.on("data", append);
  child.stderr.on("data", append);
  const stop = async () => {
    const name = path.basename(dataDir);
    if (child.exitCode === null && readOutput(platform).includes(READY))
      await saveTables(name, await readDatabaseUrl(platform));
    const code = await end(child);
    await saveDataFolder(name, dataDir, readOutput(platform));
    await rm(platform.outputFile);
    return code;
  };
  for (const secret of DEMO_SECRETS) known(`${secret} of the demo`, secret);
  try {
    await waitUntilReady(child, platform);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...platform, stop, freeze: (part) => freeze(child.pid ?? 0, part) };
}

async function freeze(launcher: number, part: string): Promise<() => void> {
  const program = part === "postgres" ? /postgres/ : new RegExp(`\\.build/${part}\\.js`);
  const isOfPart = ({ args }: Listed) => program.test(args);
  const pids = (await listDescendants(launcher)).filter(isOfPart).map(({ pid }) => pid);
  if (pids.length === 0) throw new Error(`No process of ${part} is running.`);
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  return () => pids.forEach((pid) => process.kill(pid, "SIGCONT"));
}

interface Listed {
  pid: number;
  parent: number;
  args: string;
}

async function listDescendants(root: number): Promise<Listed[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,args="], { maxBuffer: 16 * 1024 * 1024 });
  const all = stdout.split("\n").flatMap((line): Listed[] => {
    const [, pid, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const below = (pid: number): Listed[] =>
    all.filter(({ parent }) => parent === pid).flatMap((each) => [each, ...below(each.pid)]);
  return below(root);
}

export function readOutput({ outputFile }: RunningPlatform): string {
  return readFileSync(outputFile, "utf8");
}

async function waitUntilReady(child: ChildProcess, platform: RunningPlatform): Promise<void> {
  const deadline = Date.now() + 600_000;
  while (!readOutput(platform).includes(READY)) {
    if (child.exitCode !== null)
      throw new Error(`npm start exited with code ${child.exitCode}:\n${readOutput(platform)}`);
    if (Date.now() > deadline) throw new Error(`npm start wasn't ready in time:\n${readOutput(platform)}`);
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

/** The URL of the embedded PostgreSQL. */
export async function readDatabaseUrl({ dataDir }: Pick<RunningPlatform, "dataDir">): Promise<string> {
  const secrets: { postgresPassword: string; ports: { postgres: number } } = JSON.parse(
    await readFile(path.join(dataDir, "secrets.json"), "utf8"),
  );
  return `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${secrets.ports.postgres}/platform`;
}

/** One query on the embedded PostgreSQL, for states that no page can set up. */
export async function queryDatabase(
  platform: Pick<RunningPlatform, "dataDir">,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: await readDatabaseUrl(platform) });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Resolves when the demo is complete and its apps run: it grows in the background once the platform is ready. */
export async function waitForDemo(platform: RunningPlatform): Promise<void> {
  const secretsFile = path.join(platform.dataDir, "secrets.json");
  const isComplete = async () => /"demo": "done"/.test(await readFile(secretsFile, "utf8"));
  for (let tries = 0; tries < 600 && !(await isComplete()); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 200));
  const launching = "select id from installations where state = 'LAUNCHING'";
  for (let tries = 0; tries < 300 && (await queryDatabase(platform, launching)).length > 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 200));
}

/** A free port outside the range from which the system assigns ports, so that no other process gets it meanwhile. */
async function findQuietPort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
  return isFree ? port : findQuietPort();
}
