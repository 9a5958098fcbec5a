/** `npm run chaos`: see CONTRIBUTING.md. */
import { parseArgs } from "node:util";
import { bundleEntryPoints } from "@/launcher/build.mjs";
import { isDue } from "../turns.mjs";
import { run as dropBombs } from "./bombs";
import { run as addReplicas } from "./busy-app";
import { run as restartDatabase } from "./database-restarts";
import { run as endKeys } from "./dead-keys";
import { run as shareFairly } from "./fair-shares";
import { run as killParts, runInContainers as killPartsAndContainers } from "./kills";
import { run as overloadGateway } from "./overload";
import { run as restartParts } from "./rolling-restarts";
import { run as superviseApps } from "./supervision";
import type { ChaosOptions, Scenario } from "./scenario";

/** These wait more than they work, so their short forms run at the same time. */
const SIDE_BY_SIDE: Record<string, Scenario> = {
  kills: killParts,
  containers: killPartsAndContainers,
  database: restartDatabase,
  rolling: restartParts,
  supervision: superviseApps,
  busy: addReplicas,
};

/** These measure, so they run one after the other. */
const ALONE: Record<string, Scenario> = {
  overload: overloadGateway,
  fairness: shareFairly,
  bombs: dropBombs,
  keys: endKeys,
};

/** These take minutes, and have no short form. */
const FULL_ONLY = new Set(["containers", "bombs"]);

const SCENARIOS = { ...SIDE_BY_SIDE, ...ALONE };
const USAGE = `npm run chaos [-- --full] [-- --only <${Object.keys(SCENARIOS).join("|")}>] [-- --seed <number>]`;

const options = readOptions();
await bundleEntryPoints();
console.log(`figure chaos_seed ${options.seed} seed`);
const counts = { passed: 0, failed: 0 };
const names =
  options.only === undefined
    ? Object.keys(SCENARIOS).filter(
        (name) => options.full || (!FULL_ONLY.has(name) && isDue(`chaos ${name}`)),
      )
    : [options.only];
const together = options.full ? [] : names.filter((name) => name in SIDE_BY_SIDE);
await Promise.all(together.map(runScenario));
for (const name of names.filter((name) => !together.includes(name))) await runScenario(name);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed > 0 ? 1 : 0);

async function runScenario(name: string): Promise<void> {
  const startedAt = Date.now();
  try {
    await SCENARIOS[name]?.(options);
    counts.passed += 1;
    console.log(`${name}: kept (${Math.round((Date.now() - startedAt) / 1000)} s)`);
  } catch (error) {
    counts.failed += 1;
    console.error(
      `${name}: broken. Run it again with: npm run chaos -- --only ${name} --seed ${options.seed}`,
    );
    console.error(error);
  }
}

function readOptions(): ChaosOptions & { only: string | undefined } {
  const { full, only, seed } = parseArgs({
    options: {
      full: { type: "boolean", default: false },
      only: { type: "string" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    },
  }).values;
  const isKnown = only === undefined || only in SCENARIOS;
  const hasForm = full || only === undefined || !FULL_ONLY.has(only);
  if (isKnown && hasForm) return { full, only, seed: Number(seed) };
  if (isKnown) console.error(`The scenario "${only}" has only a full form. Add --full.`);
  else console.error(`There is no scenario "${only}". Use: ${USAGE}`);
  process.exit(2);
}
