// Builds all that an image of the platform runs, and removes the packages that only building and other ways to run it need.
// Called by deploy/Dockerfile, in a folder of its own: afterwards nothing can be built in it.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { buildPages, bundleEntryPoints } from "../launcher/build.mjs";

const ROOT = path.join(import.meta.dirname, "..");
const PACKAGES = path.join(ROOT, "node_modules");
/** Compilers, which packages name as optional parts of theirs. */
const BUILD_ONLY = /^@next\/swc-/;

const commands = readdirSync(path.join(ROOT, "upkeep"))
  .filter(
    (file) =>
      file.endsWith(".ts") && readFileSync(path.join(ROOT, "upkeep", file), "utf8").includes("function run("),
  )
  .map((file) => `upkeep/${path.basename(file, ".ts")}`);
await buildPages();
const bundles = [
  ...(await bundleEntryPoints()),
  ...(await bundleEntryPoints(Object.fromEntries(commands.map((name) => [name, `${name}.ts`])))),
];
const imported = bundles.filter(({ name }) => name !== "launcher").flatMap(({ imports }) => imports);
const kept = new Set();
for (const name of [...imported.filter((name) => !isBuiltin(name)), ...listTraced()]) keep(name);
for (const name of listPackages(PACKAGES))
  if (!kept.has(name)) rmSync(path.join(PACKAGES, name), { recursive: true });
for (const rest of [".bin", ".cache", ".package-lock.json"])
  rmSync(path.join(PACKAGES, rest), { recursive: true, force: true });
for (const rest of ["cache", "diagnostics", "trace", "trace-build", "turbopack", "types"])
  rmSync(path.join(findPages(), rest), { recursive: true, force: true });
console.log(`The image gets ${kept.size} packages and the commands ${commands.join(", ")}.`);

/** A package and what it needs at run time, as far as it is installed. What is inside a package stays, and needs packages, too. */
function keep(imported) {
  const name = imported.split("/", imported.startsWith("@") ? 2 : 1).join("/");
  const folder = path.join(PACKAGES, name);
  if (kept.has(name) || BUILD_ONLY.test(name) || !existsSync(folder)) return;
  kept.add(name);
  for (const needed of listNeeded(folder)) keep(needed);
}

function listNeeded(folder) {
  const { dependencies, optionalDependencies, peerDependencies } = readJson(
    path.join(folder, "package.json"),
  );
  const inside = path.join(folder, "node_modules");
  return [
    ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
    ...listPackages(inside).flatMap((name) => listNeeded(path.join(inside, name))),
  ];
}

/** The packages from which the built pages read files, by Next's own trace. */
function listTraced() {
  const pages = findPages();
  return readdirSync(pages, { recursive: true })
    .filter((file) => file.endsWith(".nft.json"))
    .flatMap((file) => readJson(path.join(pages, file)).files)
    .map((file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1])
    .filter((name) => name !== undefined);
}

function findPages() {
  return path.join(ROOT, readFileSync(path.join(ROOT, ".next/current"), "utf8").trim());
}

function listPackages(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(path.join(folder, name)).map((each) => `${name}/${each}`) : [name],
    );
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
