// Bundles one command of this folder and runs it. Its bundle is separate from those of a running platform, which may be older.
import path from "node:path";
import { bundleEntryPoints } from "../launcher/build.mjs";

const [name, ...args] = process.argv.slice(2);

await bundleEntryPoints({ [`upkeep/${name}`]: `upkeep/${name}.ts` });
const command = await import(`../.build/upkeep/${name}.js`);
process.exitCode = await command.run(path.join(import.meta.dirname, ".."), args);
