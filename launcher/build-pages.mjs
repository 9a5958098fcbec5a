// Builds the pages beside those that are being served, and switches to them at once: a running server keeps the folder that it started with.
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { hashFiles, replaceFile } from "./build-if-changed.mjs";
import { describeProcess, readIfThere } from "./describe-process.mjs";

/** Everything that `next build` reads. Pages include the server's code, so all of `lib` counts. */
const PAGE_SOURCES = [
  "app",
  "components",
  "lib",
  "docs/guide",
  "cli/templates",
  "drizzle/schema",
  "public",
  "proxy.ts",
  "next.config.js",
  "no-messages.cjs",
  "postcss.config.js",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

const FOLDER = ".next";
/** Where `next build` works. `tsconfig.json` includes its types, so that Next doesn't change that file. */
const DRAFT = "draft";
/** How many builds are kept that nobody serves: whoever goes back to one needs no build. */
const KEPT = 3;
/** An empty file in the folder of a build, named after the process that serves it. */
const SERVED = "served-";
const WAIT_MS = 500;

/** Where Next works: a server in the build that is current when it starts, which is not removed before it ends; `next build` in the draft. */
export function findPagesFolder(isServer, root = path.join(import.meta.dirname, "..")) {
  if (!isServer) return process.env.PLATFORM_PAGES_FOLDER ?? FOLDER;
  const current = readIfThere(path.join(root, FOLDER, "current"));
  if (current === "") return FOLDER;
  try {
    const note = SERVED + encodeURIComponent(describeProcess(process.pid));
    writeFileSync(path.join(root, current, note), "");
  } catch {
    // The folder of an image is read-only, and nothing is built there.
  }
  return current;
}

/**
 * Builds the pages unless there is a build of exactly these sources, and makes it the one that servers start with from now on.
 * @param signal ends the build; it is then rejected
 * @param build for tests
 */
export async function buildPages({ root, signal, build = runNextBuild, sources = PAGE_SOURCES }) {
  const folder = path.join(root, FOLDER);
  const name = `pages-${hashFiles(root, sources).slice(0, 16)}`;
  const isBuilt = () => existsSync(path.join(folder, name, "BUILD_ID"));
  if (!isBuilt()) {
    mkdirSync(folder, { recursive: true });
    const unlock = await lockDraft(folder, isBuilt, signal);
    try {
      if (!isBuilt()) await buildBeside(root, path.join(folder, name), signal, build);
    } finally {
      unlock();
    }
  }
  utimesSync(path.join(folder, name), new Date(), new Date());
  replaceFile({ path: path.join(folder, "current"), contents: Buffer.from(`${FOLDER}/${name}`) });
  removeOld(folder, name);
}

async function buildBeside(root, target, signal, build) {
  const draft = path.join(root, FOLDER, DRAFT);
  rmSync(draft, { recursive: true, force: true });
  // Next writes where the types of its last build are, which move away.
  const env = path.join(root, "next-env.d.ts");
  const before = existsSync(env) ? readFileSync(env) : undefined;
  try {
    await build(root, `${FOLDER}/${DRAFT}`, signal);
  } finally {
    if (before === undefined) rmSync(env, { force: true });
    else writeFileSync(env, before);
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(draft, target);
}

/** Locks of this process. */
const held = new Set();

/** One build at a time. A lock whose process has ended is stale. Returns the release; waits while another launch builds. */
async function lockDraft(folder, isBuilt, signal) {
  const file = path.join(folder, "building");
  for (let reported = false; ;) {
    try {
      writeFileSync(file, describeProcess(process.pid), { flag: "wx" });
      held.add(file);
      return () => {
        held.delete(file);
        rmSync(file, { force: true });
      };
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (isBuilt()) return () => undefined;
    const text = readIfThere(file);
    const owner = Number(text.split(" ")[0]);
    const isOurs = owner === process.pid && held.has(file);
    if (!isOurs && (owner === process.pid || describeProcess(owner) !== text)) rmSync(file, { force: true });
    else {
      if (!reported) console.log(`Another launch (process ${owner}) is building the pages. Waiting for it.`);
      reported = true;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
    signal?.throwIfAborted();
  }
}

function removeOld(folder, current) {
  const builds = readdirSync(folder)
    .filter((name) => name.startsWith("pages-"))
    .map((name) => path.join(folder, name))
    .map((build) => ({ build, at: statSync(build).mtimeMs, isServed: isServed(build) }))
    .filter(({ build, isServed }) => !isServed && path.basename(build) !== current)
    .sort((one, other) => other.at - one.at);
  for (const { build } of builds.slice(KEPT - 1)) rmSync(build, { recursive: true, force: true });
}

/** Whether a process that serves it still runs. Removes the notes of those that don't. */
function isServed(build) {
  const notes = readdirSync(build).filter((name) => name.startsWith(SERVED));
  const served = notes.filter((note) => {
    const text = decodeURIComponent(note.slice(SERVED.length));
    return text !== "" && describeProcess(Number(text.split(" ")[0])) === text;
  });
  for (const note of notes) if (!served.includes(note)) rmSync(path.join(build, note), { force: true });
  return served.length > 0;
}

/** In a process group of its own, which ends with this process, however that ends. */
export async function runNextBuild(root, distDir, signal) {
  const startedAt = Date.now();
  console.log(
    "Building the pages. This takes about half a minute and is repeated only when their sources change.",
  );
  const next = path.join(root, "node_modules", "next", "dist", "bin", "next");
  const { code, output } = await runGroup(process.execPath, [next, "build"], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      PLATFORM_PAGES_FOLDER: distDir,
    },
    signal,
  });
  // Next also ends with 0 if something ended its helpers.
  if (code !== 0 || !existsSync(path.join(root, distDir, "BUILD_ID"))) {
    const message = `${output}\nThe pages could not be built (next build ended with ${code}). Fix the errors above and run the command again.`;
    throw Object.assign(new Error(message), { expected: true });
  }
  console.log(`Built the pages in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

/** Ends a process group when the pipe from this process closes, which happens however this process ends. */
const END_WITH_US = `
  process.stdin.on("end", () => {
    try { process.kill(-Number(process.argv[1]), "SIGKILL"); } catch {}
    process.exit();
  }).resume();`;

function endWithUs(pid) {
  const guard = spawn(process.execPath, ["-e", END_WITH_US, String(pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  return guard;
}

/** Runs a command and all that it starts. `signal` ends all of it, and so does the end of this process. */
export async function runGroup(command, args, { cwd, env, signal }) {
  signal?.throwIfAborted();
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const guard = child.pid === undefined ? undefined : endWithUs(child.pid);
  const end = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  };
  signal?.addEventListener("abort", end);
  let output = "";
  const collect = (chunk) => {
    output += chunk;
    for (const line of String(chunk).split("\n"))
      if (/^\s*(▲|✓|Creating|Linting|Collecting|Generating|Finalizing|Running)/.test(line))
        console.log(`  ${line.trim()}`);
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  try {
    const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
    signal?.throwIfAborted();
    return { code, output };
  } finally {
    guard?.kill("SIGKILL");
    signal?.removeEventListener("abort", end);
  }
}
