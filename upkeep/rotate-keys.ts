/** `npm run keys:rotate [-- --dry-run]`: see docs/keys.md. */
import { describeRotation, isComplete, rotateKeys } from "@/lib/server/platform/rotate-keys";
import { type ExitCode, print, withPlatform } from "./with-platform";

export function run(root: string, args: string[]): Promise<ExitCode> {
  const unknown = args.find((arg) => arg !== "--dry-run");
  if (unknown !== undefined) {
    print(`Unknown option '${unknown}'. The only option is --dry-run, which changes nothing.`);
    return Promise.resolve(1);
  }
  return withPlatform(root, async (platform) => {
    const rotation = await rotateKeys(platform, { dryRun: args.includes("--dry-run") });
    describeRotation(rotation).forEach(print);
    return isComplete(rotation) ? 0 : 1;
  });
}
