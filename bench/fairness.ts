/**
 * Measures what a neighbor notices of an organization that loads the platform: a hanging app, slow uploads, events to a slow app,
 * and a flood of calls. Alone and beside the load take turns, so that ratios stay valid when the machine's speed drifts. The
 * load comes from processes of their own over plain sockets; each prints what it sent, so that a generator that falls behind is seen.
 */
import { parseArgs } from "node:util";
import { bundleEntryPoints } from "@/launcher/build.mjs";
import { CASES, runCase, setStage, type CaseResult } from "@/tests/chaos/fairness";
import { median, printFigure } from "./measure";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "10" },
    only: { type: "string" },
  },
});
const effort = { rounds: Number(values.rounds), seconds: Number(values.seconds) };

await bundleEntryPoints();
let isFair = true;
{
  await using stage = await setStage();
  printFigure("fair_capacity", stage.capacity, "calls/s");
  for (const each of CASES.filter(({ name }) => values.only === undefined || name === values.only)) {
    const result = await runCase(stage, each, effort);
    report(result);
    isFair &&= result.failed === 0;
  }
}
process.exit(isFair ? 0 : 1);

function report({ name, rounds, failed, samples, load }: CaseResult): void {
  const shown = rounds.map(({ aloneMs, besideMs }) => `${besideMs.toFixed(1)} (${aloneMs.toFixed(1)})`);
  console.log(
    `${name}: the neighbor's p99 beside the load (alone), ms: ${shown.join(", ")}; ${samples} samples`,
  );
  for (const { sent, skipped, resets, statuses, coreUse } of load)
    console.log(
      `${name}: load sent ${sent}, skipped ${skipped}, resets ${resets}, ${JSON.stringify(statuses)}, generator used ${coreUse.toFixed(2)} of a core`,
    );
  printFigure(`fair_${name}_neighbor_p99_over_alone`, median(rounds.map(({ ratio }) => ratio)), "ratio");
  printFigure(`fair_${name}_neighbor_failed`, failed, "count");
}
