// Bundles one command of this folder and runs it. Its bundle is separate from those of a running platform, which may be older.
// An image contains the bundles, and nothing to build with.
import { existsSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "..");
const [name, ...args] = process.argv.slice(2);

if (existsSync(path.join(ROOT, "node_modules/esbuild"))) {
  const { bundleEntryPoints } = await import("../launcher/build.mjs");
  await bundleEntryPoints({ [`upkeep/${name}`]: `upkeep/${name}.ts` });
}
const command = await import(`../.build/upkeep/${name}.js`);
process.exitCode = await command.run(ROOT, args);
