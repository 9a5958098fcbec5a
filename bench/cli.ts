/**
 * `npm run bench:cli`: how long `platform-app` takes to start, compared with Node alone, side by side, and how large it is. Build it
 * first with `npm run build:cli`.
 */
import { spawnSync } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { medianRatio, printFigure } from "./measure";

const BUNDLE = path.resolve("cli/dist/platform-app.js");
const ROUNDS = 25;
const COMMANDS = { node: ["-e", "0"], version: [BUNDLE, "--version"], help: [BUNDLE, "--help"] } as const;

const times = { node: new Array<number>(), version: new Array<number>(), help: new Array<number>() };
for (let round = 0; round < ROUNDS; round += 1)
  for (const name of ["node", "version", "help"] as const) {
    const startedAt = performance.now();
    const { status } = spawnSync(process.execPath, COMMANDS[name]);
    if (status !== 0) throw new Error(`${COMMANDS[name].join(" ")} exited with ${status}.`);
    times[name].push(performance.now() - startedAt);
  }

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
printFigure("cli_start_ms", median(times.version), "ms");
printFigure("cli_start_over_node", medianRatio(times.version, times.node), "ratio");
printFigure("cli_help_over_node", medianRatio(times.help, times.node), "ratio");
const { size } = await stat(BUNDLE);
console.log(`figure cli_bundle_bytes ${size} bytes`);
