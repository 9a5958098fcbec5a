/** `npm run audit:verify`: verifies every audit trail and prints a line for each. */
import { listAuditChains, verifyAudit } from "@/lib/server/platform/verify-audit";
import { type ExitCode, print, withPlatform } from "./with-platform";

export function run(root: string): Promise<ExitCode> {
  return withPlatform(root, async (platform) => {
    const start = performance.now();
    let rows = 0;
    let broken = 0;
    for (const chain of await listAuditChains(platform)) {
      const result = await verifyAudit(platform, chain);
      if (result.intact) {
        rows += result.rows;
        print(`intact  ${chain}  ${result.rows} rows`);
      } else {
        broken += 1;
        print(`BROKEN  ${chain}  at row ${result.position}: ${result.reason}`);
      }
    }
    print(`figure audit_chains_broken ${broken} chains`);
    print(`figure audit_rows_verified ${rows} rows`);
    print(`figure audit_verify_time ${((performance.now() - start) / 1000).toFixed(2)} s`);
    return broken === 0 ? 0 : 1;
  });
}
