// `npm run check:architecture`: the rules of .dependency-cruiser.cjs, and no cycles between folders.
import { execFile } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = path.join(import.meta.dirname, "..");
const SOURCES = [
  "app",
  "components",
  "lib",
  "gateway",
  "worker",
  "guard",
  "cli",
  "launcher",
  "upkeep",
  "demo",
  "proxy.ts",
];
/** Where folders must not depend on each other in a circle. A folder and its sub-folder are two folders. */
const LAYERED = /^(lib|components|gateway|worker|guard|cli|launcher|upkeep|demo)\//;
const TEST = /\.test\.tsx?$/;

/** What is wrong in the sources below `root`: one line each. */
export async function checkArchitecture(root, sources) {
  const { modules, summary } = await cruise(root, sources);
  const broken = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  return [...broken, ...findFolderCycles(modules)];
}

function cruise(root, sources) {
  const command = path.join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const args = [command, "--config", path.join(ROOT, ".dependency-cruiser.cjs"), "--output-type", "json"];
  return new Promise((resolve, reject) => {
    const options = { cwd: root, maxBuffer: 256 * 1024 * 1024 };
    // Violations make it fail, but its report is complete.
    execFile(process.execPath, [...args, ...sources], options, (error, stdout, stderr) => {
      if (stdout.startsWith("{")) resolve(JSON.parse(stdout));
      else reject(new Error(`dependency-cruiser failed: ${stderr}`, { cause: error }));
    });
  });
}

/** Each import that closes a circle of folders. */
function findFolderCycles(modules) {
  const imports = modules
    .filter(({ source }) => LAYERED.test(source) && !TEST.test(source))
    .flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
    )
    .filter(({ from, to }) => LAYERED.test(to) && path.dirname(from) !== path.dirname(to));
  const targets = new Map();
  for (const { from, to } of imports) {
    const folder = path.dirname(from);
    targets.set(folder, (targets.get(folder) ?? new Set()).add(path.dirname(to)));
  }
  const reach = (start) => {
    const reached = new Set();
    const open = [start];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop())
      for (const next of targets.get(folder) ?? []) {
        if (!reached.has(next)) open.push(next);
        reached.add(next);
      }
    return reached;
  };
  const reachable = new Map([...targets.keys()].map((folder) => [folder, reach(folder)]));
  return imports
    .filter(({ from, to }) => reachable.get(path.dirname(to))?.has(path.dirname(from)))
    .map(({ from, to }) => `no-folder-cycles: ${from} → ${to}`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = await checkArchitecture(ROOT, SOURCES);
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
