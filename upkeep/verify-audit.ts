/**
 * `npm run audit:verify [-- --checkpoints <file>]`: verifies every audit trail and prints a line for each, and compares them with the
 * checkpoints in a log, `-` for standard input.
 */
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { parseCheckpoints, verifyCheckpoints } from "@/lib/server/platform/audit-checkpoints";
import { MissingMasterKeyError } from "@/lib/server/platform/keyring";
import type { Platform } from "@/lib/server/platform/platform";
import { listAuditChains, listLostTrails, verifyAudit } from "@/lib/server/platform/verify-audit";
import { type ExitCode, print, withPlatform } from "./with-platform";

const USAGE = "Usage: npm run audit:verify [-- --checkpoints <file>], with - for standard input.";

const OPTIONS = { checkpoints: { type: "string" }, help: { type: "boolean", short: "h" } } as const;

export async function run(root: string, args: string[]): Promise<ExitCode> {
  let log: string | undefined;
  try {
    const { values } = parseArgs({ args, options: OPTIONS });
    const { checkpoints: file, help = false } = values;
    if (help) {
      print(USAGE);
      return 0;
    }
    if (file !== undefined) log = file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    print(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return 1;
  }
  return withPlatform(root, async (platform) => {
    try {
      const isIntact = await verifyTrails(platform);
      const isAnchored = log === undefined || (await compareWith(platform, log));
      return isIntact && isAnchored ? 0 : 1;
    } catch (error) {
      if (!(error instanceof MissingMasterKeyError)) throw error;
      print(`NOT CHECKED  ${error.message}.`);
      print("This doesn't mean that a trail was changed. Add the key back, at the end, then verify again.");
      return 1;
    }
  });
}

async function verifyTrails(platform: Platform): Promise<boolean> {
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
  for (const organization of await listLostTrails(platform)) {
    broken += 1;
    print(`BROKEN  ${organization}  the organization has no audit trail`);
  }
  print(`figure audit_chains_broken ${broken} chains`);
  print(`figure audit_rows_verified ${rows} rows`);
  print(`figure audit_verify_time ${((performance.now() - start) / 1000).toFixed(2)} s`);
  return broken === 0;
}

async function compareWith(platform: Platform, log: string): Promise<boolean> {
  const checkpoints = parseCheckpoints(log);
  const last = checkpoints.at(-1);
  if (last === undefined) {
    print("BROKEN  The file contains no checkpoints. Pass the log of a worker.");
    return false;
  }
  const broken = await verifyCheckpoints(platform, checkpoints);
  for (const { checkpoint, reason } of broken)
    print(
      `BROKEN  ${checkpoint.chain}  checkpoint of row ${checkpoint.position}, ${checkpoint.at}: ${reason}`,
    );
  const chains = new Set(checkpoints.map(({ chain }) => chain)).size;
  print(`compared ${checkpoints.length} checkpoints of ${chains} trails, the last of ${last.at}`);
  print(`figure audit_checkpoints_broken ${broken.length} checkpoints`);
  return broken.length === 0;
}
