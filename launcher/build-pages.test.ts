import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { isAlive } from "@/lib/server/platform/machine";
import { buildPages, type RunBuild, runGroup } from "./build-pages.mjs";

let root = "";
let builds = 0;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "build-pages-"));
  await writeFile(path.join(root, "page.tsx"), "one");
  builds = 0;
});
afterEach(() => rm(root, { recursive: true }));

const fakeBuild: RunBuild = async (folder, distDir) => {
  builds += 1;
  await mkdir(path.join(folder, distDir), { recursive: true });
  await writeFile(path.join(folder, distDir, "BUILD_ID"), await readFile(path.join(folder, "page.tsx")));
  await writeFile(path.join(folder, "next-env.d.ts"), `import "./${distDir}/types/routes.d.ts";`);
};
const build = (run: RunBuild = fakeBuild, signal?: AbortSignal) =>
  buildPages({ root, build: run, sources: ["page.tsx"], signal });
const change = (text: string) => writeFile(path.join(root, "page.tsx"), text);
/** What a server that starts now serves, and from which folder. */
async function served() {
  const folder = await readFile(path.join(root, ".next/current"), "utf8");
  return { folder, page: await readFile(path.join(root, folder, "BUILD_ID"), "utf8") };
}

// Guarantee: a build never touches the pages that are being served.
test("a build is beside the one that is served, and replaces it when it is complete", async () => {
  await build();
  const before = await served();
  expect(before.page).toBe("one");
  await change("two");
  await build(async (...args) => {
    await fakeBuild(...args);
    expect(await served()).toEqual(before);
  });
  expect((await served()).page).toBe("two");
  expect(await readFile(path.join(root, before.folder, "BUILD_ID"), "utf8")).toBe("one");
  expect(existsSync(path.join(root, "next-env.d.ts"))).toBe(false);
  await change("one");
  await build();
  expect(await served()).toEqual(before);
  expect(builds).toBe(2);
});

test("a build that fails changes nothing", async () => {
  await build();
  const before = await served();
  await change("two");
  await expect(build(() => Promise.reject(new Error("does not compile")))).rejects.toThrow(
    "does not compile",
  );
  expect(await served()).toEqual(before);
  await build();
  expect((await served()).page).toBe("two");
});

const buildEach = async (...texts: string[]) => {
  for (const text of texts) {
    await change(text);
    await build();
  }
};
const listBuilds = async () =>
  (await readdir(path.join(root, ".next"))).filter((name) => name.startsWith("pages-"));

test("old builds are removed, and two are kept for whoever goes back", async () => {
  await buildEach("one", "two", "three", "four", "five");
  expect(await listBuilds()).toHaveLength(3);
  expect((await served()).page).toBe("five");
});

/** Serves the current build, as `next.config.js` does. */
const SERVER = `
  import { findPagesFolder } from ${JSON.stringify(pathToFileURL(path.resolve("launcher/build-pages.mjs")).href)};
  console.log(findPagesFolder(true, process.argv[1]));
  setInterval(() => {}, 1000);`;

// Guarantee: however often the pages are built, no launch loses the ones that it serves.
test("a build that is served is kept until its server has ended, however it ended", async () => {
  await build();
  const server = spawn(process.execPath, ["--input-type=module", "-e", SERVER, root]);
  const [folder] = await once(server.stdout, "data");
  expect(String(folder).trim()).toBe((await served()).folder);
  const page = path.join(root, String(folder).trim(), "BUILD_ID");
  await buildEach("two", "three", "four", "five", "six");
  expect(await readFile(page, "utf8")).toBe("one");
  expect(await listBuilds()).toHaveLength(4);
  server.kill("SIGKILL");
  await once(server, "exit");
  await buildEach("seven");
  expect(existsSync(page)).toBe(false);
  expect(await listBuilds()).toHaveLength(3);
});

// Guarantee: after an update of Node, a start doesn't take as long as the first one.
test("another version of Node builds nothing again", async () => {
  await build();
  const other = Object.create(process, {
    version: { value: "v99.0.0" },
    versions: { value: { ...process.versions, node: "99.0.0", modules: "999" } },
  });
  vi.stubGlobal("process", other);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(process.version).toBe("v99.0.0");
  await build();
  expect(builds).toBe(1);
});

// Guarantee: two launches build once, and one that was killed blocks none.
test.each(["999999999", `${process.pid} another/start`])(
  "a launch waits for another one's build, and takes over the lock of one that was killed (%s)",
  async (stale) => {
    await mkdir(path.join(root, ".next"));
    await writeFile(path.join(root, ".next/building"), stale);
    await Promise.all([build(), build()]);
    expect(builds).toBe(1);
    expect(existsSync(path.join(root, ".next/building"))).toBe(false);
  },
);

/** Starts a process that starts another one. Both write their process ids. */
const PARENT = `
  const { spawn } = require("node:child_process");
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  require("node:fs").writeFileSync("pids", process.pid + " " + child.pid + " ");
  setInterval(() => {}, 1000);`;
const pids = async () =>
  (await readFile(path.join(root, "pids"), "utf8").catch(() => ""))
    .trim()
    .split(" ")
    .filter(Boolean)
    .map(Number);

// Guarantee: a start that is stopped while it builds leaves nothing running that blocks the next one.
test("a build that is stopped ends with all of its processes", async () => {
  const ending = new AbortController();
  const running = build(async (cwd, _, signal) => {
    await runGroup(process.execPath, ["-e", PARENT], { cwd, env: process.env, signal });
  }, ending.signal);
  const ended = expect(running).rejects.toThrow(/abort/i);
  await expect.poll(pids, { timeout: 10_000 }).toHaveLength(2);
  const started = await pids();
  ending.abort();
  await ended;
  await expect.poll(() => started.filter(isAlive)).toEqual([]);
  await build();
  expect((await served()).page).toBe("one");
});

test("a build ends when its launcher is killed", async () => {
  const source = pathToFileURL(path.resolve("launcher/build-pages.mjs")).href;
  const script = `
    import { runGroup } from ${JSON.stringify(source)};
    const args = ["-e", ${JSON.stringify(PARENT)}];
    await runGroup(process.execPath, args, { cwd: ${JSON.stringify(root)}, env: process.env });`;
  const launcher = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
  await expect.poll(pids, { timeout: 10_000 }).toHaveLength(2);
  const started = await pids();
  launcher.kill("SIGKILL");
  await once(launcher, "exit");
  await expect.poll(() => started.filter(isAlive), { timeout: 10_000 }).toEqual([]);
});
