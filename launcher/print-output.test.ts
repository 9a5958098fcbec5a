import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { printOutput, toJsonLine, toJsonLines } from "./print-output";

const key = `psk_${randomBytes(96).toString("base64url")}`;

async function printInChunks(text: string, size: number): Promise<string> {
  const output = new PassThrough();
  const printed: string[] = [];
  printOutput(output, (part) => printed.push(part));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) output.write(bytes.subarray(at, at + size));
  output.end();
  await new Promise((resolve) => output.once("close", resolve));
  return printed.join("");
}

// Guarantee (P3): wherever the operating system cuts the output of a part, no state key reaches the terminal.
test("a key is redacted across any chunk border", async () => {
  const text = `first é\nkey ${key} of a call\nlast, without a line break ${key}`;
  for (let size = 1; size < 200; size += 1)
    expect(await printInChunks(text, size), `${size} bytes`).toBe(
      "first é\nkey [state key] of a call\nlast, without a line break [state key]",
    );
});

test("a line that never ends is printed in parts, without the keys in it", async () => {
  const filler = "word ".repeat(4_000);
  const text = `${filler}${key} `.repeat(12);
  expect(await printInChunks(text, 16_384)).toBe(`${filler}[state key] `.repeat(12));
});

// Guarantee: a collector never meets a line that is not JSON.
test("JSON lines stay as they are, and others become the message of one", () => {
  const json = `{"level":30,"part":"web","msg":"ready"}`;
  const lines = toJsonLines("web", ` ▲ Next.js 16\n\n${json}\n{ not json\n`).trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toBe(json);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, part: "web", msg: "▲ Next.js 16" },
    { msg: "ready" },
    { level: 30, part: "web", msg: "{ not json" },
  ]);
});

test("the stack of an error belongs to its message", () => {
  const stack =
    "Error: no\n    at page (page.js:1:2)\n    at next (x.js:3:4) {\n  digest: '123'\n}\nNext line\n";
  const lines = toJsonLines("web", stack, "error").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, msg: stack.slice(0, stack.indexOf("\nNext")) },
    { level: 50, msg: "Next line" },
  ]);
});

test("a message of several lines is one line", () => {
  expect(toJsonLine("launcher", "\none\ntwo\n", "error")).not.toContain("\n");
  expect(JSON.parse(toJsonLine("launcher", "\none\ntwo\n", "error"))).toMatchObject({
    level: 50,
    msg: "one\ntwo",
  });
});

// Guarantee: also what a build says, which runs before the part.
test("a part that is built first prints JSON, unless it is in development", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "start-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const folder of ["launcher", ".build", "node_modules/next", "node_modules/esbuild"])
    await mkdir(path.join(root, folder), { recursive: true });
  for (const name of ["start.mjs", "upkeep-commands.mjs"])
    await copyFile(`launcher/${name}`, path.join(root, "launcher", name));
  const files = {
    "launcher/watch-parents.mjs": "export const watchParents = () => ({});",
    "launcher/build.mjs": `export const bundleEntryPoints = async () => console.log("Bundled.");
      export const buildPages = async () => { console.log("  Generating."); throw Object.assign(new Error("It failed."), { expected: true }); };`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(root, name), text);
  const start = (env: Partial<NodeJS.ProcessEnv>) => {
    const options = {
      env: { PATH: process.env.PATH, ...env } as NodeJS.ProcessEnv,
      encoding: "utf8",
    } as const;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(root, "launcher/start.mjs"), "web"],
      options,
    );
    return (stdout + stderr).trim().split("\n");
  };
  const messages = [
    { level: 30, part: "web", msg: "Bundled." },
    { level: 30, part: "web", msg: "Generating." },
    { level: 50, part: "web", msg: "It failed." },
  ];
  for (const env of [{}, { NODE_ENV: "production" }] as const)
    expect(start(env).map((line) => JSON.parse(line))).toMatchObject(messages);
  expect(start({ NODE_ENV: "development" })[0]).toBe("Bundled.");
});

// Guarantee: also what ends a start before its settings are read.
test("a start that fails at once prints JSON in production, and text otherwise", () => {
  const start = (mode: "production" | "development", ...args: string[]) =>
    spawnSync(process.execPath, ["launcher/start.mjs", ...args], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: mode,
        DATABASE_URL: "postgres://127.0.0.1:9/none",
        PLATFORM_WEB_PORT: "none",
      },
      encoding: "utf8",
    });
  const { status, stdout, stderr } = start("production");
  expect(status).toBe(1);
  expect(stdout).toBe("");
  const lines = stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { level: 50, part: "launcher", msg: expect.stringContaining("PLATFORM_MASTER_KEYS") },
  ]);
  expect(start("development").stderr).toMatch(/^\nPLATFORM_WEB_PORT is 'none'/);
});
