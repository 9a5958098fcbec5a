/**
 * Measures the time from `npm start` to the first page, on a built checkout with a seeded data folder: all parts, the
 * database and the demo, compared in turns with Next alone.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { freePort } from "@/lib/server/platform/machine";

const ROUNDS = 5;

const dataDir = await mkdtemp(path.join(tmpdir(), "platform-bench-"));
await chmod(dataDir, 0o755);
const [webPort, gatewayPort] = [await freePort(), await freePort()];

// The first start builds the pages and seeds the demo, so it does not count.
await startPlatform();
const ours: number[] = [];
const next: number[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  ours.push(await startPlatform());
  next.push(await startNext());
  console.log(
    `round ${round}  npm start ${ours.at(-1)?.toFixed(2)} s, Next alone ${next.at(-1)?.toFixed(2)} s`,
  );
}
await rm(dataDir, { recursive: true, force: true });
console.log(`figure start_to_first_page ${median(ours).toFixed(2)} s`);
console.log(`figure start_next_alone ${median(next).toFixed(2)} s`);
console.log(`figure start_over_next ${(median(ours) / median(next)).toFixed(2)} ratio`);

function startPlatform(): Promise<number> {
  return timeToFirstPage(["launcher/start.mjs"], {
    PLATFORM_DATA_DIR: dataDir,
    PLATFORM_WEB_PORT: String(webPort),
    PLATFORM_GATEWAY_PORT: String(gatewayPort),
    PLATFORM_RUNTIME: "process",
  });
}

function startNext(): Promise<number> {
  return timeToFirstPage(
    ["node_modules/next/dist/bin/next", "start", "-p", String(webPort), "-H", "127.0.0.1"],
    {
      NODE_ENV: "production",
      DATABASE_URL: "postgres://nobody@127.0.0.1:9/none",
      PLATFORM_MASTER_KEYS: newMasterKey("bench"),
      PLATFORM_WEB_URL: `http://localhost:${webPort}`,
    },
  );
}

async function timeToFirstPage(args: string[], variables: Record<string, string>): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env: { ...process.env, ...variables }, stdio: "ignore" });
  try {
    await waitForFirstPage(child);
    return (performance.now() - started) / 1000;
  } finally {
    await end(child);
  }
}

async function waitForFirstPage(child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const page = await fetch(`http://127.0.0.1:${webPort}/sign-in`).catch(() => undefined);
    if (page?.ok === true) {
      await page.text();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`It exited with code ${child.exitCode} before its first page.`);
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
