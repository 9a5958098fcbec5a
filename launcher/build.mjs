// Bundles the entry points (always, because it takes only 100 ms), and builds the command line and the pages if their sources changed.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, context, formatMessages, stop } from "esbuild";
import { buildCli } from "./build-cli.mjs";
import { replaceFile } from "./build-if-changed.mjs";
import { buildPages as buildPagesBeside } from "./build-pages.mjs";
import { watchParents } from "./watch-parents.mjs";

const ROOT = path.join(import.meta.dirname, "..");
const ENTRY_POINTS = {
  launcher: "launcher/main.ts",
  part: "launcher/run-part.ts",
  "leave-with-launcher": "launcher/leave-with-launcher.ts",
  web: "launcher/serve-web.ts",
  gateway: "gateway/main.ts",
  // A thread of the gateway, and of the launcher while it publishes the demo's images.
  "inspect-upload": "lib/server/catalog/publish/inspect-upload-thread.ts",
  // A thread of each part, if it exports traces.
  "export-traces": "lib/server/surface/export-traces-thread.ts",
  worker: "worker/main.ts",
};
const BUNDLE_OPTIONS = {
  outdir: ".build",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: true,
  write: false,
};

/** It runs in a container that has nothing but Node, and gets there as an argument, which has at most 128 KiB. */
const GUARD_OPTIONS = {
  packages: "bundle",
  sourcemap: false,
  minify: true,
  entryPoints: { guard: "guard/main.ts" },
};

/** By name below `.build`, without extension. Returns what each bundle imports from packages. */
export async function bundleEntryPoints(entryPoints = ENTRY_POINTS) {
  const { outputFiles, metafile } = await build({
    ...BUNDLE_OPTIONS,
    absWorkingDir: ROOT,
    entryPoints,
    logLevel: "error",
    metafile: true,
  });
  for (const file of outputFiles) replaceFile(file);
  if (entryPoints === ENTRY_POINTS) {
    const guard = await build({
      ...BUNDLE_OPTIONS,
      ...GUARD_OPTIONS,
      absWorkingDir: ROOT,
      logLevel: "error",
    });
    for (const file of guard.outputFiles) replaceFile(file);
    await buildCli();
  }
  // Otherwise its helper process would run as long as the launcher.
  await stop();
  return Object.entries(metafile.outputs).map(([file, { imports }]) => ({
    name: path.relative(".build", file).replace(/\.js$/, ""),
    imports: imports.filter(({ external }) => external).map((each) => each.path),
  }));
}

/**
 * Rebuilds an entry point whenever a file that it includes is saved, and calls `onChange` if its bundle changed. Prints build
 * errors; the last bundle that worked stays. Returns a function that stops watching.
 */
export async function watchEntryPoint(name, onChange, { root = ROOT, file = ENTRY_POINTS[name] } = {}) {
  const replaceBundle = {
    name: "replace-bundle",
    setup: ({ onEnd }) =>
      onEnd(async ({ errors, outputFiles }) => {
        if (errors.length > 0) {
          const messages = await formatMessages(errors, { kind: "error", color: process.stderr.isTTY });
          process.stderr.write(
            `${name} cannot be built. It keeps running without the latest changes until this is fixed:\n\n${messages.join("\n")}`,
          );
        } else if (outputFiles.map((file) => replaceFile(file)).some(Boolean)) onChange();
      }),
  };
  const watcher = await context({
    ...BUNDLE_OPTIONS,
    absWorkingDir: root,
    entryPoints: { [name]: file },
    logLevel: "silent",
    plugins: [replaceBundle],
  });
  await watcher.watch();
  // Ctrl-C also reaches esbuild's helper process, which then cannot respond anymore.
  return () => watcher.dispose().catch(() => undefined);
}

/** Does nothing if the pages were built from exactly these sources. */
export async function buildPages(signal) {
  await buildPagesBeside({ root: ROOT, signal });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // What this process has started ends with it.
  watchParents();
  try {
    await bundleEntryPoints();
    await buildPages();
  } catch (error) {
    console.error(error.expected ? error.message : error);
    process.exit(1);
  }
}
