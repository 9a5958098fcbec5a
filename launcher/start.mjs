// The first file to run, on any version of Node: no syntax or import that an old version does not support.
import { existsSync } from "fs";
import { dirname, join } from "path";
import { fileURLToPath } from "url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dev = process.argv.indexOf("--dev") !== -1;

function stop(message) {
  // In production, the launcher prints JSON lines, and the message is one of them.
  console.error(process.env.NODE_ENV === "production" && !dev ? message : "\n" + message + "\n");
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
if (!existsSync(join(root, "node_modules", "next")) || !existsSync(join(root, "node_modules", "esbuild"))) {
  stop("The packages are not installed. Run `npm ci` first.");
}

process.chdir(root);
import("./build.mjs")
  .then((build) =>
    build
      .bundleEntryPoints()
      .then(() => import("../.build/launcher.js"))
      .then((launcher) => launcher.launch({ root, dev, build })),
  )
  .catch((error) => {
    if (error && error.expected) stop(error.message);
    if (error && error.code === "ENOSPC")
      stop(
        (error.path || "A file in " + root) +
          " can't be written: the disk is full. Free some space, then start again.",
      );
    stop((error && error.stack) || String(error));
  });
