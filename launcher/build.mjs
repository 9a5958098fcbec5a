// Bundles the entry points (about 100 ms, so always), and builds the pages when their sources changed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build as bundle, stop as endBundler } from "esbuild";

const root = path.join(import.meta.dirname, "..");
const ENTRY_POINTS = {
  launcher: "launcher/main.ts",
  "leave-with-launcher": "launcher/leave-with-launcher.ts",
  web: "launcher/serve-web.ts",
  gateway: "gateway/main.ts",
  worker: "worker/main.ts",
  "platform-app": "cli/main.ts",
};

/** All that `next build` reads. The server's code is bundled into the pages, so `lib` counts as a whole. */
const PAGE_SOURCES = [
  "app",
  "components",
  "lib",
  "drizzle/schema",
  "public",
  "proxy.ts",
  "next.config.js",
  "no-messages.cjs",
  "postcss.config.js",
];
const PAGE_SETTINGS = ["tsconfig.json", "package.json", "package-lock.json"];
const FINGERPRINT = path.join(root, ".next", "fingerprint");

/** Does nothing when they are built from these very sources. */
export async function buildPages() {
  const fingerprint = fingerprintOfPages();
  if (existsSync(FINGERPRINT) && readFileSync(FINGERPRINT, "utf8") === fingerprint) return;
  await runNextBuild();
  writeFileSync(FINGERPRINT, fingerprint);
}

export async function bundleEntryPoints() {
  const present = Object.entries(ENTRY_POINTS).filter(([, file]) => existsSync(path.join(root, file)));
  const { outputFiles } = await bundle({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(present),
    outdir: ".build",
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    sourcemap: true,
    logLevel: "error",
    write: false,
  });
  mkdirSync(path.join(root, ".build"), { recursive: true });
  for (const file of outputFiles) replaceFile(file.path, file.contents);
  // Its helper process would else stay with the launcher for good.
  await endBundler();
}

/** Whole or not at all, and only if it changed: another launch may be reading it just now. */
function replaceFile(place, contents) {
  if (existsSync(place) && readFileSync(place).equals(contents)) return;
  const draft = `${place}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, place);
}

async function runNextBuild() {
  const begun = Date.now();
  console.log(
    "Building the pages. This is done once, and again when their sources change (about half a minute).",
  );
  const next = path.join(root, "node_modules", "next", "dist", "bin", "next");
  const child = spawn(process.execPath, [next, "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk) => {
    output += chunk;
    for (const line of String(chunk).split("\n")) {
      if (/^\s*(▲|✓|Creating|Linting|Collecting|Generating|Finalizing|Running)/.test(line))
        console.log(`  ${line.trim()}`);
    }
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) {
    const message = `${output}\nThe pages could not be built (next build ended with ${code}). Mend what it says above and run the command again.`;
    throw Object.assign(new Error(message), { expected: true });
  }
  console.log(`Built the pages in ${Math.round((Date.now() - begun) / 1000)} s.`);
}

/** SHA-256 over paths and contents: dates say nothing after a clone. */
function fingerprintOfPages() {
  const hash = createHash("sha256").update(process.version);
  for (const file of [...PAGE_SOURCES, ...PAGE_SETTINGS].flatMap(filesBelow)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesBelow(name) {
  const place = path.join(root, name);
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [name];
  const names = readdirSync(place).sort();
  return names
    .flatMap((entry) => filesBelow(`${name}/${entry}`))
    .filter((file) => !/\.test\.tsx?$/.test(file));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await bundleEntryPoints();
    await buildPages();
  } catch (error) {
    console.error(error.expected ? error.message : error);
    process.exit(1);
  }
}
