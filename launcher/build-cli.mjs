// Bundles `platform-app` with everything that it needs into `cli/dist`: `npm run build:cli`.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, stop } from "esbuild";
import tar from "tar-stream";
import { buildDevPage } from "./build-dev-page.mjs";
import { buildIfChanged, listFiles, replaceFile } from "./build-if-changed.mjs";

const ROOT = path.join(import.meta.dirname, "..");
const CLI = path.join(ROOT, "cli");
const DIST = path.join(CLI, "dist");
const PROGRAM = path.join(DIST, "platform-app.js");
const PACKAGE = ".build/platform-app.tgz";

/** What packages bring and the command line never reaches: dockerode's BuildKit sessions, and ssh2's native speed-up. */
const unused = {
  name: "unused",
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: /^(@grpc\/(grpc-js|proto-loader)|protobufjs|cpu-features)$|\.node$/ },
      ({ path: name }) => ({
        path: name,
        namespace: "unused",
      }),
    );
    onLoad({ filter: /./, namespace: "unused" }, () => ({
      contents: "module.exports = {}",
      loader: "js",
    }));
  },
};

/** Messages of the platform are in English, so zod's 50 other languages are left out. */
const englishOnly = {
  name: "english-only",
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

/** Splits the code, because Node parses all of a file before it runs the first line: a command loads only what it needs. */
export const CLI_BUNDLE_OPTIONS = {
  absWorkingDir: ROOT,
  entryPoints: { "platform-app": "cli/main.ts" },
  outdir: "cli/dist",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  minify: true,
  // Otherwise an uncaught error would show a line of a megabyte.
  lineLimit: 160,
  // What CommonJS packages expect, and an ES module does not have.
  define: { __dirname: "import.meta.dirname" },
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  // Some packages' main files load their parts in a way that cannot be bundled.
  mainFields: ["module", "main"],
  legalComments: "eof",
  plugins: [unused, englishOnly],
  write: false,
  metafile: true,
  logLevel: "error",
};

/** Everything that the build reads, except packages, whose versions are in package-lock.json. And what it writes. */
export function describeCliBuild() {
  const own = readdirSync(CLI).filter((name) => name !== "dist");
  return {
    root: ROOT,
    sources: [
      ...own.map((name) => `cli/${name}`),
      "components",
      "lib",
      "app/globals.css",
      "app/icon.svg",
      "launcher/build-cli.mjs",
      "launcher/build-dev-page.mjs",
      "launcher/build-if-changed.mjs",
      "package.json",
      "package-lock.json",
      "tsconfig.json",
    ],
    outputs: ["cli/dist", PACKAGE],
    stamp: ".build/cli-fingerprint",
  };
}

/** Writes `cli/dist`, and packs the package as the platform offers it for download. Does nothing if both are current. */
export async function buildCli() {
  await buildIfChanged(describeCliBuild(), runBuild);
}

async function runBuild() {
  const [bundle, inPage] = await Promise.all([build(CLI_BUNDLE_OPTIONS), buildDevPage()]);
  const inputs = [...Object.keys(bundle.metafile.inputs), ...inPage];
  requireSources(inputs);
  const used = Object.values(bundle.metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const shipped = used.flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : []));
  writeProgram(bundle.outputFiles);
  replaceFile({
    path: path.join(DIST, "third-party-notices.txt"),
    contents: Buffer.from(collectNotices([...shipped, ...inPage])),
  });
  replaceFile({ path: path.join(ROOT, PACKAGE), contents: await packCli() });
}

function writeProgram(files) {
  const isProgram = (file) => file.path === PROGRAM;
  for (const file of files.filter((each) => !isProgram(each))) replaceFile(file);
  // Last, because it imports the others.
  replaceFile(files.find(isProgram), 0o755);
  for (const name of readdirSync(DIST)) {
    const file = path.join(DIST, name);
    // Of the build before: the names of chunks contain a hash.
    if (name.endsWith(".js") && !files.some((each) => each.path === file)) rmSync(file, { force: true });
  }
}

/** A source that is missing in the list would be built once, and never again. */
function requireSources(inputs) {
  const { sources } = describeCliBuild();
  const own = inputs.filter((input) => !/node_modules\/|^unused:/.test(input));
  const missing = own.filter(
    (input) => !sources.some((each) => input === each || input.startsWith(`${each}/`)),
  );
  if (missing.length > 0)
    throw new Error(`Add these to the sources of the command line: ${missing.join(", ")}`);
}

/** The licenses of all packages in the bundle, which ask to be shipped with their code. */
function collectNotices(inputs) {
  const folders = new Set(inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]));
  folders.delete(undefined);
  return [...folders].sort().map(describePackage).join("\n");
}

function describePackage(folder) {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(ROOT, folder, "package.json"), "utf8"),
  );
  const file = readdirSync(path.join(ROOT, folder)).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? "" : readFileSync(path.join(ROOT, folder, file), "utf8").trim();
  return `${"=".repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`;
}

/** The same files always give the same bytes. */
async function packCli() {
  const { files } = JSON.parse(readFileSync(path.join(CLI, "package.json"), "utf8"));
  const pack = tar.pack();
  for (const name of ["package.json", ...files].flatMap((each) => listFiles(CLI, each))) {
    const mode = path.join(CLI, name) === PROGRAM ? 0o755 : 0o644;
    pack.entry({ name: `package/${name}`, mode, mtime: new Date(0) }, readFileSync(path.join(CLI, name)));
  }
  pack.finalize();
  return gzipSync(await buffer(Readable.from(pack)), { level: 9 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildCli();
  await stop();
}
