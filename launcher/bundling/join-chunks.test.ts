import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { joinChunks } from "./join-chunks.mjs";

const run = promisify(execFile);
const SOURCES = {
  "main.ts": `import { count } from "./shared";
    const name = process.argv[2];
    count.value += 1;
    if (name === "late") void import("./late").then(({ say }) => say());
    if (name === "fail") void import("./fail").then(({ fail }) => fail());
    if (name === undefined) console.log("early");`,
  "shared.ts": "export const count = { value: 0 };",
  "late.ts": `import { basename } from "node:path";
    import { count } from "./shared";
    export async function say() {
      const { inner } = await import("./inner");
      const text = \`two
// lines\`;
      console.log(JSON.stringify([count.value, import.meta.url, basename("/a/b"), text, inner]));
    }`,
  "inner.ts": 'export const inner: string = "ünicode /* */ //";',
  "fail.ts": `export function fail() {
      throw new Error("The chunk failed.");
    }`,
};
let folder = "";
let file = "";
let code = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "chunks-"));
  for (const [name, text] of Object.entries(SOURCES)) await writeFile(path.join(folder, name), text);
  const bundle = await build({
    absWorkingDir: folder,
    entryPoints: ["main.ts"],
    outdir: "out",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    write: false,
    metafile: true,
  });
  file = path.join(folder, "program.mjs");
  const joined = await joinChunks(bundle, "main.ts");
  code = joined.toString();
  await writeFile(file, joined);
});
afterAll(() => rm(folder, { recursive: true }));

test("chunks that are imported late are comments, and run with the same modules as the others", async () => {
  expect((await run(process.execPath, [file])).stdout).toBe("early\n");
  const { stdout } = await run(process.execPath, [file, "late"]);
  const url = pathToFileURL(file).href;
  expect(JSON.parse(stdout)).toEqual([1, url, "b", "two\n// lines", "ünicode /* */ //"]);
  const lines = code.split("\n").filter((line) => line.includes("two") || line.includes("nicode"));
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toMatch(/^\/\//);
});

test("a stack trace names the line of the file", async () => {
  const failed = run(process.execPath, [file, "fail"]);
  const line = code.split("\n").findIndex((text) => text.includes("The chunk failed.")) + 1;
  await expect(failed).rejects.toMatchObject({
    stderr: expect.stringContaining(`${pathToFileURL(file).pathname}:${line}`),
  });
});
