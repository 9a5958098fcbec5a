// Bundles one command of this folder and runs it. It stays apart from what `npm start` runs from, which may be older.
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, stop } from "esbuild";

const root = path.join(import.meta.dirname, "..");
const [name, ...args] = process.argv.slice(2);

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: [`upkeep/${name}.ts`],
  outdir: ".build/upkeep",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  logLevel: "error",
  write: false,
});
await stop();
const [bundle] = outputFiles;
await mkdir(path.dirname(bundle.path), { recursive: true });
// Whole or not at all: the same command may start twice at once.
const draft = `${bundle.path}.${process.pid}`;
await writeFile(draft, bundle.contents);
await rename(draft, bundle.path);
const command = await import(pathToFileURL(bundle.path).href);
process.exitCode = await command.run(root, args);
