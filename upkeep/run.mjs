// Bundles one command of this folder and runs it. Its bundle is separate from those of a running platform, which may be older.
// An image contains the bundles, and nothing to build with.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { whyUnwritable } from "../launcher/data-folder/unwritable.mjs";
import { COMMANDS } from "../launcher/upkeep-commands.mjs";
import { watchParents } from "../launcher/watch-parents.mjs";

const [name, ...args] = process.argv.slice(2);
const root = path.join(import.meta.dirname, "..");

/** As root, files would stay behind that the platform's user can't replace. */
function findWrongUser() {
  const owner = statSync(root).uid;
  if (process.getuid?.() !== 0 || owner === 0) return undefined;
  return `${root} belongs to the user with the id ${owner}. Run the command as that user, with the platform's settings: see docs/production.md.`;
}

async function run() {
  if (!COMMANDS.includes(name)) {
    const wrong = name === undefined ? "Name a command" : `There is no command called ${name}`;
    throw Object.assign(new Error(`${wrong}. Use one of: ${COMMANDS.join(", ")}.`), { expected: true });
  }
  const wrongUser = findWrongUser();
  if (wrongUser !== undefined) throw Object.assign(new Error(wrongUser), { expected: true });
  if (existsSync(path.join(root, "node_modules/esbuild"))) {
    const { bundleEntryPoints } = await import("../launcher/build.mjs");
    await bundleEntryPoints({ [`upkeep/${name}`]: `upkeep/${name}.ts` });
  }
  const command = await import(`../.build/upkeep/${name}.js`);
  process.exitCode = await command.run(root, args);
}

// A backup or a rotation of keys that goes on unseen would meet the next one.
watchParents();
try {
  await run();
} catch (error) {
  process.stderr.write(`${whyUnwritable(error, root) ?? (error.expected ? error.message : error.stack)}\n`);
  process.exitCode = 1;
}
