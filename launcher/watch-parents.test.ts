import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { isAlive } from "@/lib/server/platform/machine";

let folder = "";

/** Stands for the launcher: it notes what ended it. */
const SCRIPT = `
  import { writeFileSync } from "node:fs";
  import { watchParents } from "./launcher/watch-parents.mjs";
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
    process.on(signal, () => { writeFileSync(process.argv[2], signal); process.exit(); });
  const parents = watchParents({ everyMs: 50 });
  parents.whenGone = () => { writeFileSync(process.argv[2], "gone"); process.exit(); };
  console.log("pids " + process.pid + " " + process.ppid + ".");
  setInterval(() => {}, 1000);`;

/** Stands for a part, a build or a command, which change nothing about how they end. */
const PART = `
  import { writeFileSync } from "node:fs";
  import { watchParents } from "./launcher/watch-parents.mjs";
  process.on("SIGTERM", () => { writeFileSync(process.argv[2], "SIGTERM"); process.exit(); });
  watchParents({ everyMs: 50 });
  console.log("pids " + process.pid + " " + process.ppid + ".");
  setInterval(() => {}, 1000);`;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "watch-parents-"));
  for (const [name, contents] of [
    ["launcher", SCRIPT],
    ["part", PART],
  ] as const)
    await build({
      stdin: { contents, resolveDir: process.cwd() },
      outfile: path.join(folder, `${name}.mjs`),
      bundle: true,
      platform: "node",
      format: "esm",
    });
  const scripts = { start: "node launcher.mjs ended-by", "start:part": "node part.mjs ended-by" };
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ scripts }));
});
afterAll(() => rm(folder, { recursive: true }));

/** As a supervisor does it. Resolves when the launcher runs. */
async function start(command: string, args: string[], env = process.env) {
  await rm(path.join(folder, "ended-by"), { force: true });
  const child: ChildProcess = spawn(command, args, {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout?.on("data", (chunk) => (output += String(chunk)));
  await expect.poll(() => output, { timeout: 20_000 }).toMatch(/pids \d+ \d+\./);
  const [, launcher = 0, parent = 0] = (/pids (\d+) (\d+)\./.exec(output) ?? []).map(Number);
  onTestFinished(() => {
    for (const pid of [launcher, child.pid ?? 0]) if (pid > 1 && isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  const endedBy = () => readFile(path.join(folder, "ended-by"), "utf8").catch(() => undefined);
  return { child, launcher, parent, endedBy };
}

// Guarantee: whatever a supervisor signals, nothing keeps serving as an orphan.
test.each(["SIGTERM", "SIGKILL", "SIGHUP"] as const)(
  "a launcher ends when npm alone gets %s",
  async (signal) => {
    const { child, launcher, endedBy } = await start("npm", ["start"]);
    child.kill(signal);
    await expect.poll(endedBy, { timeout: 10_000 }).toMatch(/gone|SIGTERM/);
    await expect.poll(() => isAlive(launcher), { timeout: 10_000 }).toBe(false);
  },
);

test.each(["SIGTERM", "SIGKILL"] as const)(
  "a launcher ends when npm's shell alone gets %s",
  async (signal) => {
    const { parent, child, endedBy } = await start("npm", ["start"]);
    if (parent === child.pid) return;
    process.kill(parent, signal);
    await expect.poll(endedBy, { timeout: 10_000 }).toBe("gone");
  },
);

test.each(["SIGTERM", "SIGKILL"] as const)(
  "whatever else npm runs ends when npm alone gets %s",
  async (signal) => {
    const { child, launcher, endedBy } = await start("npm", ["run", "start:part"]);
    child.kill(signal);
    await expect.poll(endedBy, { timeout: 10_000 }).toBe("SIGTERM");
    await expect.poll(() => isAlive(launcher), { timeout: 10_000 }).toBe(false);
  },
);

test("a signal to all processes reaches the launcher itself", async () => {
  const { child, endedBy } = await start("npm", ["start"]);
  process.kill(-(child.pid ?? 0), "SIGINT");
  await expect.poll(endedBy, { timeout: 10_000 }).toBe("SIGINT");
});

// Guarantee: `nohup` and supervisors that start Node themselves keep what they started.
test("a launcher that npm did not start outlives its parent", async () => {
  const env = { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV };
  const { child, launcher, endedBy } = await start("sh", ["-c", "node launcher.mjs ended-by; true"], env);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  await sleep(500);
  expect(await endedBy()).toBeUndefined();
  expect(isAlive(launcher)).toBe(true);
});
