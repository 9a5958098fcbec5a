/** `npm run keys:rotate [-- --dry-run]`: see docs/keys.md. */
import { describeRotation } from "@/lib/server/keys/describe-rotation";
import { isComplete, rotateKeys, type RotationStep } from "@/lib/server/keys/rotate-keys";
import { say, withPlatform, type ExitCode } from "./with-platform";

/** Rows between two lines of progress. */
const TELL_EVERY = 100_000;

export function run(root: string, args: string[]): Promise<ExitCode> {
  const wrong = args.find((arg) => arg !== "--dry-run");
  if (wrong !== undefined) {
    say(`'${wrong}' is not understood. There is --dry-run, which changes nothing.`);
    return Promise.resolve(1);
  }
  return withPlatform(root, async (platform) => {
    const rotation = await rotateKeys(platform, { dryRun: args.includes("--dry-run"), onStep: tellNow() });
    describeRotation(rotation).forEach(say);
    return isComplete(rotation) ? 0 : 1;
  });
}

function tellNow(): (step: RotationStep) => void {
  let rows = 0;
  let told = 0;
  return (step) => {
    if (step.what !== "audit rows") return;
    rows += step.rows;
    if (rows - told < TELL_EVERY) return;
    told = rows;
    say(`… ${rows} audit rows are sealed anew`);
  };
}
