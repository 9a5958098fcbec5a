/** Processes that the launcher supervises: real ones that die, in each of the ways that the parts and the demo's core are started. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { freePort, isAlive } from "@/lib/server/platform/machine";
import { Part, type PartOptions } from "./part";

let root = "";
let part: Part | undefined;
let said: string[] = [];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "part-"));
  await mkdir(path.join(root, ".build"));
  await writeFile(path.join(root, ".build/leave-with-launcher.js"), "");
  said = [];
  vi.spyOn(console, "warn").mockImplementation((text) => void said.push(String(text)));
});
afterEach(async () => {
  await part?.end();
  vi.restoreAllMocks();
  await rm(root, { recursive: true });
});

/** Each start notes its process id. */
const NOTES = `
  import { appendFileSync, existsSync } from "node:fs";
  import { createServer } from "node:http";
  appendFileSync("pids", process.pid + " ");
  process.on("SIGTERM", () => process.exit(0));
  setInterval(() => undefined, 1000);`;
const pids = async () =>
  (await readFile(path.join(root, "pids"), "utf8").catch(() => "")).split(" ").filter(Boolean).map(Number);

async function start(name: string, script: string, more: Partial<PartOptions> = {}): Promise<void> {
  const file = path.join(root, "part.mjs");
  await writeFile(file, NOTES + script);
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH };
  part = new Part({ name, script: file, root, env, logFile: path.join(root, "log"), ...more });
  await part.start();
}

// Guarantee: whatever part dies is started again, and the terminal says both.
test.each(["web", "gateway", "worker"])("%s is started again after it was killed", async (name) => {
  await start(name, "process.send({ ready: true });");
  const [first = 0] = await pids();
  process.kill(first, "SIGKILL");
  await expect.poll(() => said.at(-1)).toBe(`${name} is running again.`);
  expect(said[0]).toMatch(`${name} ended unexpectedly (SIGKILL). Restarting it in 1 s.`);
  expect(await pids()).toHaveLength(2);
});

test("the demo's core, which sends no message, is started again, too, and the terminal says when it answers", async () => {
  const port = await freePort();
  const health = `http://127.0.0.1:${port}/health`;
  await start("core", `createServer((_, answer) => answer.end()).listen(${port}, "127.0.0.1");`, { health });
  const [first = 0] = await pids();
  process.kill(first, "SIGKILL");
  await expect.poll(() => said.at(-1)).toBe("core is running again.");
  expect((await fetch(health)).ok).toBe(true);
});

// Guarantee: a restart that hangs isn't the last one.
test("a part that hangs before it is ready is killed and started again", async () => {
  const script = `if (!existsSync("hangs")) process.send({ ready: true });`;
  await start("worker", script, { readyMs: 1_000 });
  await writeFile(path.join(root, "hangs"), "");
  const [first = 0] = await pids();
  process.kill(first, "SIGKILL");
  await expect.poll(async () => (await pids()).length).toBeGreaterThanOrEqual(3);
  expect(said.join()).not.toContain("running again");
  await rm(path.join(root, "hangs"));
  await expect.poll(() => said.at(-1)).toBe("worker is running again.");
  expect((await pids()).filter(isAlive)).toHaveLength(1);
});

test("a part that is ready stays so without its log", async () => {
  await start("web", "process.send({ ready: true });", { readyMs: 1_000 });
  await rm(path.join(root, "log"));
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const [first = 0] = await pids();
  process.kill(first, "SIGKILL");
  await expect.poll(() => said.at(-1)).toBe("web is running again.");
});

test("a part that isn't ready in time fails to start, with the end of its log", async () => {
  const failed = start("web", 'console.log("waits for nothing");', { readyMs: 1_000 });
  await expect(failed).rejects.toThrow(/web was not ready within two minutes\..*waits for nothing/s);
});

test("a part that the launcher ends isn't started again", async () => {
  await start("web", "process.send({ ready: true });");
  await part?.end();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await pids()).toHaveLength(1);
  expect(said).toEqual([]);
});
