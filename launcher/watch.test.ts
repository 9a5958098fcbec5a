import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchEntryPoint } from "./build.mjs";
import { Part } from "./part";

let root = "";
let part: Part;
let stopWatching: () => Promise<void>;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "watch-"));
  await mkdir(path.join(root, ".build"));
  await writeFile(path.join(root, ".build/leave-with-launcher.js"), "");
  await writeFile(path.join(root, "message.ts"), 'export const message: string = "first";');
  await writeFile(path.join(root, "part.ts"), SOURCE);
});
afterEach(async () => {
  await stopWatching();
  await part.end();
  await rm(root, { recursive: true });
});

/** Logs its message when it starts, and its end when it receives SIGTERM. */
const SOURCE = `import { message } from "./message";
  console.log(message, process.pid);
  process.on("SIGTERM", () => { console.log("ended", process.pid); process.exit(0); });
  setInterval(() => undefined, 1000);
  process.send?.({ ready: true });`;

const readLog = async () => (await readFile(path.join(root, "log"), "utf8")).trim().split("\n");
/** In one step: a build that ran between a truncation and a write would find an empty file, which is a valid change. */
async function change(text: string): Promise<void> {
  await writeFile(path.join(root, "saved"), text);
  await rename(path.join(root, "saved"), path.join(root, "message.ts"));
}

// Guarantee: in development, a saved change restarts the part gracefully, and a build error does not stop it.
test("a part is rebuilt and restarted when a file that it includes changes", async () => {
  const errors = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const script = path.join(root, ".build/part.js");
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH };
  part = new Part({ name: "part", script, root, env, logFile: path.join(root, "log") });
  const onChange = vi.fn();
  stopWatching = await watchEntryPoint("part", onChange, { root, file: "part.ts" });
  await expect.poll(() => onChange.mock.calls).toHaveLength(1);
  await part.start();
  onChange.mockImplementation(() => void part.restart());
  const [first = ""] = await readLog();

  await change("export const message = ;");
  await expect.poll(() => errors.mock.calls.flat().join()).toContain("message.ts:1:23");
  expect(await readLog()).toEqual([first]);

  await change('export const message = "second";');
  await expect.poll(readLog).toHaveLength(3);
  const [, ended, second = ""] = await readLog();
  expect(first).toMatch(/^first \d+$/);
  expect(ended).toBe(first.replace("first", "ended"));
  expect(second).toMatch(/^second \d+$/);
  errors.mockRestore();
});
