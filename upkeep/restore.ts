/** `npm run restore -- --from <folder> [--release]` and `npm run restore -- --release`: see docs/operating.md. */
import path from "node:path";
import { StartError } from "@/launcher/data-folder/secrets";
import { readKeyring } from "@/lib/server/platform/keyring";
import type { Platform } from "@/lib/server/platform/platform";
import { type Backup, BackupError, readBackup } from "@/lib/server/surface/backup/backup-format";
import { ON_HOLD } from "@/lib/server/platform/hold-queries";
import { releaseRestored, restoreBackup } from "@/lib/server/surface/backup/restore-backup";
import { verifyRestored } from "@/lib/server/surface/backup/verify-restored";
import { count } from "@/lib/server/surface/backup/write-backup";
import { abortOnSignals } from "./backup";
import {
  type ExitCode,
  print,
  readOptions,
  readMasterKeys,
  withPlatform,
  withStoppedPlatform,
} from "./with-platform";

const USAGE = `npm run restore -- --from <folder>             restore a backup into an empty database and store, and check it
npm run restore -- --release                   let the restored platform start apps and send webhooks and mail
npm run restore -- --from <folder> --release   both

The platform must be stopped for --from. PLATFORM_MASTER_KEYS must contain the master keys of the backup. Without DATABASE_URL, an
embedded PostgreSQL is created in PLATFORM_DATA_DIR. Don't release it while the original runs.
Exit codes: 0 done, and all checks passed; 1 failed, or a check failed.`;

const OPTIONS = {
  from: { type: "string" },
  release: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export async function run(root: string, args: string[]): Promise<ExitCode> {
  const { from, release = false, help = false } = readOptions(args, OPTIONS) ?? {};
  if (help) {
    print(USAGE);
    return 0;
  }
  if (from !== undefined) return restoreFrom(root, path.resolve(root, from), release);
  if (release) return withPlatform(root, releaseHeld);
  print(`Give --from or --release.\n\n${USAGE}`);
  return 1;
}

async function restoreFrom(root: string, from: string, release: boolean): Promise<ExitCode> {
  const signal = abortOnSignals();
  try {
    const masterKeys = await readMasterKeys(root);
    if (masterKeys === undefined)
      throw new BackupError(
        "The master keys of the backup are needed. Set PLATFORM_MASTER_KEYS, or put secrets.json back into PLATFORM_DATA_DIR.",
      );
    const backup = await readBackup(from, readKeyring(masterKeys));
    const migrationsFolder = path.join(root, "drizzle/migrations");
    return await withStoppedPlatform(root, masterKeys, async (platform) => {
      await restoreBackup(platform, backup, { migrationsFolder, signal, report: print });
      const isRight = await printChecks(platform, backup);
      if (!isRight) return 1;
      if (release) return releaseHeld(platform);
      print(ON_HOLD);
      return 0;
    });
  } catch (error) {
    if (!(error instanceof BackupError || error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function printChecks(platform: Platform, { manifest }: Backup): Promise<boolean> {
  let isRight = true;
  for await (const { name, faults, checked } of verifyRestored(platform, manifest)) {
    if (faults.length === 0) print(`ok      ${name}: ${checked}`);
    for (const fault of faults) print(`FAILED  ${name}: ${fault}`);
    isRight &&= faults.length === 0;
  }
  if (manifest.lost.length > 0)
    print(`WARNING: the store had lost ${count(manifest.lost.length, "blob")} of images before the backup.`);
  return isRight;
}

async function releaseHeld(platform: Platform): Promise<ExitCode> {
  const isReleased = await releaseRestored(platform);
  print(isReleased ? "Released. The worker starts within seconds." : "Nothing is on hold.");
  return 0;
}
