// The first file that runs, on whatever Node there is: no syntax and no import here that an old one would choke on.
import { existsSync } from "fs";
import { dirname, join } from "path";
import { fileURLToPath } from "url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dev = process.argv.indexOf("--dev") !== -1;

function stop(message) {
  console.error("\n" + message + "\n");
  process.exit(1);
}

const version = process.versions.node.split(".").map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  stop(
    "This is Node " +
      process.versions.node +
      ". The platform needs Node 20.19 or newer (22 or 24 recommended).\n" +
      "Install one, for example with `nvm install 24`, and run the command again.",
  );
}
if (!existsSync(join(root, "node_modules", "next")) || !existsSync(join(root, "node_modules", "esbuild"))) {
  stop("The packages are not installed yet. Run `npm ci` first.");
}

process.chdir(root);
import("./build.mjs")
  .then((steps) =>
    steps
      .bundleEntryPoints()
      .then(() => import("../.build/launcher.js"))
      .then((launcher) =>
        launcher.launch({ root, dev, buildPages: () => (dev ? Promise.resolve() : steps.buildPages()) }),
      ),
  )
  .catch((error) => stop(error && error.expected ? error.message : (error && error.stack) || String(error)));
