/** No organization can slow another: the cases of `npm run bench:fairness`, with what is promised of each. */
import { CASES, runCase, setStage } from "./fairness";
import { expectKept, figure, type ChaosOptions } from "./scenario";

const MOST_SLOWDOWN = 2;
/** On a machine that is busy with other tests, some of the neighbor's requests may be refused: the platform is busy then. */
const MOST_FAILED_IN_SHORT = 0.1;
/** Requests that wait, and requests that are too many: the others fill the gateway in the same two ways. */
const IN_SHORT = ["hanging_app", "flood"];

/** That the neighbor is served is checked always; how fast, only in the full form: see overload.ts. */
export async function run({ full }: ChaosOptions): Promise<void> {
  await using stage = await setStage();
  for (const each of CASES.filter(({ name }) => full || IN_SHORT.includes(name))) {
    const { name, rounds, failed, samples } = await runCase(stage, each, {
      rounds: full ? 3 : 1,
      seconds: full ? 15 : 2,
    });
    const ratios = rounds.map(({ ratio }) => ratio).toSorted((one, other) => one - other);
    const ratio = ratios[Math.floor(ratios.length / 2)] ?? 0;
    figure(`fair_${name}_neighbor_p99_over_alone`, ratio, "ratio");
    figure(`fair_${name}_neighbor_failed`, failed, "count");
    const most = full ? 0 : MOST_FAILED_IN_SHORT * (samples + failed);
    expectKept(failed <= most, `${name}: ${failed} requests of the neighbor failed.`);
    if (full)
      expectKept(ratio <= MOST_SLOWDOWN, `${name}: the neighbor's p99 is ${ratio.toFixed(2)} times as long.`);
  }
}
