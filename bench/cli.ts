/**
 * `npm run bench:cli`: how long `platform-app` takes to start and to check a manifest, compared with Node alone, side by side, and how
 * large it is. Build it first with `npm run build:cli`.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { medianRatio, printFigure } from "./measure";

const BUNDLE = path.resolve("cli/dist/platform-app.js");
const ROUNDS = 25;
const MANIFEST = path.resolve("examples/vin-autofill/platform-app.json");
const COMMANDS = {
  node: ["-e", "0"],
  version: [BUNDLE, "--version"],
  help: [BUNDLE, "--help"],
  validate: [BUNDLE, "validate", MANIFEST],
} as const;
const NAMES = ["node", "version", "help", "validate"] as const;

const times = {
  node: new Array<number>(),
  version: new Array<number>(),
  help: new Array<number>(),
  validate: new Array<number>(),
};
for (let round = 0; round < ROUNDS; round += 1)
  for (const name of NAMES) {
    const startedAt = performance.now();
    const { status } = spawnSync(process.execPath, COMMANDS[name]);
    if (status !== 0) throw new Error(`${COMMANDS[name].join(" ")} exited with ${status}.`);
    times[name].push(performance.now() - startedAt);
  }

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
printFigure("cli_node_ms", median(times.node), "ms");
printFigure("cli_start_ms", median(times.version), "ms");
printFigure("cli_help_ms", median(times.help), "ms");
printFigure("cli_validate_ms", median(times.validate), "ms");
printFigure("cli_start_over_node", medianRatio(times.version, times.node), "ratio");
printFigure("cli_help_over_node", medianRatio(times.help, times.node), "ratio");
const folder = path.dirname(BUNDLE);
const sizes = readdirSync(folder).map((name) =>
  name.endsWith(".js") ? statSync(path.join(folder, name)).size : 0,
);
console.log(`figure cli_bundle_bytes ${sizes.reduce((sum, size) => sum + size, 0)} bytes`);
