/** `npm run audit:verify`: walks every chain of the audit trail; a line each. */
import { listAuditChains } from "@/lib/server/audit/list-audit-chains";
import { verifyAudit } from "@/lib/server/audit/verify-audit";
import { say, withPlatform, type ExitCode } from "./with-platform";

export function run(root: string): Promise<ExitCode> {
  return withPlatform(root, async (platform) => {
    const begun = performance.now();
    let rows = 0;
    let broken = 0;
    for (const chain of await listAuditChains(platform)) {
      const verdict = await verifyAudit(platform, chain);
      if (verdict.intact) {
        rows += verdict.rows;
        say(`intact  ${chain}  ${verdict.rows} rows`);
      } else {
        broken += 1;
        say(`BROKEN  ${chain}  at row ${verdict.position}: ${verdict.reason}`);
      }
    }
    say(`figure audit_chains_broken ${broken} chains`);
    say(`figure audit_rows_verified ${rows} rows`);
    say(`figure audit_verify_time ${((performance.now() - begun) / 1000).toFixed(2)} s`);
    return broken === 0 ? 0 : 1;
  });
}
