/** `npm run keys:rotate [-- --dry-run]`: see docs/keys.md. */
import { describeRotation, isComplete, rotateKeys } from "@/lib/server/platform/rotate-keys";
import { type ExitCode, print, readOptions, withPlatform } from "./with-platform";

const USAGE = `npm run keys:rotate                re-encrypt with the current master key what older ones protect
npm run keys:rotate -- --dry-run   only say what that would change`;

const OPTIONS = { "dry-run": { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

export async function run(root: string, args: string[]): Promise<ExitCode> {
  const options = readOptions(args, OPTIONS);
  if (options === undefined || options.help === true) {
    print(options === undefined ? `These options are not valid.\n\n${USAGE}` : USAGE);
    return options === undefined ? 1 : 0;
  }
  return withPlatform(root, async (platform) => {
    const rotation = await rotateKeys(platform, { dryRun: options["dry-run"] === true });
    describeRotation(rotation).forEach(print);
    return isComplete(rotation) ? 0 : 1;
  });
}
