// The first file to run, on any version of Node: no syntax or import that an old version does not support.
import { existsSync } from "fs";
import { dirname, join } from "path";
import { fileURLToPath, pathToFileURL } from "url";
// So that an image needs no other entry point for them.
import { COMMANDS } from "./upkeep-commands.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dev = process.argv.indexOf("--dev") !== -1;
/** One part in this process, instead of all of them as child processes. */
const part =
  process.argv[2] === undefined || process.argv[2].indexOf("--") === 0 ? undefined : process.argv[2];
// An image contains what was built with it, and no build tools.
const isBuilt = !existsSync(join(root, "node_modules", "esbuild"));

// A part alone is in production unless something else is said.
if (part !== undefined && process.env.NODE_ENV === undefined) process.env.NODE_ENV = "production";
// In production, every line is JSON, also before the launcher has read its settings, such as those of a build.
const isJson = process.env.NODE_ENV === "production" && !dev;

function toJson(level, message) {
  return JSON.stringify({
    level: level,
    time: Date.now(),
    part: part || "launcher",
    msg: String(message).trim(),
  });
}

if (isJson) {
  console.log = function (message) {
    process.stdout.write(toJson(30, message) + "\n");
  };
}

function stop(message) {
  process.stderr.write((isJson ? toJson(50, message) : "\n" + message + "\n") + "\n");
  process.exit(1);
}

const version = process.versions.node.split(".").map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  stop(
    "The platform needs Node 20.19 or newer (22 or 24 recommended), but this is Node " +
      process.versions.node +
      ".\nInstall a newer version, for example with `nvm install 24`, and run the command again.",
  );
}
if (
  !existsSync(join(root, "node_modules", "next")) ||
  (isBuilt && !existsSync(join(root, ".build", "part.js")))
) {
  stop("The packages are not installed. Run `npm ci` first.");
}
if (isBuilt && part === undefined) {
  stop("Name the part to run: web, gateway, worker, or migrate. Or a command: " + COMMANDS.join(", ") + ".");
}

function build() {
  return import("./build.mjs").then((steps) =>
    steps
      .bundleEntryPoints()
      .then(() => (part === "web" ? steps.buildPages() : undefined))
      .then(() => steps),
  );
}

function start() {
  process.chdir(root);
  return import("./watch-parents.mjs").then(({ watchParents }) => {
    // From the first moment on: npm may end while something is built.
    const parents = watchParents();
    return (isBuilt ? Promise.resolve() : build()).then((steps) =>
      part === undefined
        ? import("../.build/launcher.js").then((launcher) =>
            launcher.launch({ root, dev, build: steps, parents }),
          )
        : import("../.build/part.js").then((launcher) => launcher.runPart(part, root, COMMANDS)),
    );
  });
}

// A command is a program of its own: it reads its arguments itself, and its paths are relative to where it was started.
const program = pathToFileURL(join(root, "upkeep", "run.mjs")).href;
(COMMANDS.indexOf(part) === -1 ? start() : import(program)).catch((error) => {
  if (error && error.expected) stop(error.message);
  return import("./data-folder/unwritable.mjs").then(({ whyUnwritable }) =>
    stop(whyUnwritable(error, root) || (error && error.stack) || String(error)),
  );
});
