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
/** How many builds are kept: one may still be served by a launch that started before an update. */
const KEPT = 3;
const WAIT_MS = 500;

/** Where Next works: a server in the build that is current when it starts, `next build` in the draft. */
export function findPagesFolder(isServer) {
  if (!isServer) return process.env.PLATFORM_PAGES_FOLDER ?? FOLDER;
  return readIfThere(path.join(import.meta.dirname, "..", FOLDER, "current")) || FOLDER;
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

/** Its id, and on Linux when it started, because ids are reused: in a container, a launcher often has the same one. */
function describeProcess(pid) {
  if (!Number.isInteger(pid) || pid <= 1) return "";
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return "";
  }
  const stat = readIfThere(`/proc/${pid}/stat`);
  const boot = readIfThere("/proc/sys/kernel/random/boot_id").trim();
  return `${pid} ${boot}/${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""}`;
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function removeOld(folder, current) {
  const builds = readdirSync(folder)
    .filter((name) => name.startsWith("pages-") && name !== current)
    .map((name) => ({ name, at: statSync(path.join(folder, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  for (const { name } of builds.slice(KEPT - 1))
    rmSync(path.join(folder, name), { recursive: true, force: true });
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
