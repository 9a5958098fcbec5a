/** `npm run backup -- --to <folder>` and `npm run backup -- --check <folder>`: see docs/operating.md. */
import { readFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { MissingMasterKeyError, readKeyring } from "@/lib/server/platform/keyring";
import { BackupError, readBackup } from "@/lib/server/surface/backup/backup-format";
import { checkBackup } from "@/lib/server/surface/backup/restore-backup";
import { count, recordCheck, writeBackup } from "@/lib/server/surface/backup/write-backup";
import {
  type ExitCode,
  print,
  readOptions,
  readMasterKeys,
  tryPlatform,
  withPlatform,
} from "./with-platform";

const USAGE = `npm run backup -- --to <folder>      back up the database and the images while the platform runs
npm run backup -- --check <folder>   check that a backup is complete and unchanged, and opens with the master keys

The --to folder must not exist yet. A backup doesn't contain the master keys: keep them elsewhere.
Exit codes: 0 done; 1 failed, and nothing was left behind; 2 complete, except for images that the store has lost.`;

const OPTIONS = {
  to: { type: "string" },
  check: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

export async function run(root: string, args: string[]): Promise<ExitCode> {
  const options = readOptions(args, OPTIONS);
  if (options?.help === true) {
    print(USAGE);
    return 0;
  }
  const { to, check } = options ?? {};
  if (to !== undefined && check === undefined) return backUp(root, path.resolve(root, to));
  if (check !== undefined && to === undefined) return checkOnly(root, path.resolve(root, check));
  print(`Give either --to or --check.\n\n${USAGE}`);
  return 1;
}

function backUp(root: string, to: string): Promise<ExitCode> {
  // Calls come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const signal = abortOnSignals();
  const { version: platformVersion } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const migrationsFolder = path.join(root, "drizzle/migrations");
  return withPlatform(
    root,
    async (platform) => {
      const { lost, keys } = await writeBackup(platform, {
        to,
        migrationsFolder,
        platformVersion,
        signal,
        report: print,
      });
      print(`To restore it, you need these master keys: ${keys.map(({ id }) => id).join(", ")}`);
      if (lost.length === 0) return 0;
      print(
        `WARNING: the store has lost ${count(lost.length, "blob")} of images, or contains different bytes. Missing from the backup:`,
      );
      for (const { digest } of lost) print(`  ${digest}`);
      print("Ask their publishers to publish these versions again.");
      return 2;
    },
    "The incomplete backup was removed.",
  );
}

async function checkOnly(root: string, folder: string): Promise<ExitCode> {
  try {
    const keys = await readMasterKeys(root);
    const backup = await readBackup(folder, keys === undefined ? undefined : readKeyring(keys));
    await checkBackup(backup, { signal: abortOnSignals(), report: print });
    const { takenAt, platform, schema, lost } = backup.manifest;
    print(`The backup is complete: taken at ${takenAt}, version ${platform}, schema ${schema.name}.`);
    if (!backup.isSealed) print("Not checked: who made it. To check this, set PLATFORM_MASTER_KEYS.");
    const recorded =
      backup.isSealed &&
      (await tryPlatform(root, (it) => recordCheck(it, backup.manifest).catch(explainMissingKey)));
    if (recorded !== true)
      print(
        `Not recorded on the Operation page: ${recorded || "that requires the database of the platform that made the backup"}.`,
      );
    if (lost.length > 0) print(`Lost in the store before the backup: ${count(lost.length, "blob")}.`);
    return 0;
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function explainMissingKey(error: unknown): string {
  if (error instanceof MissingMasterKeyError) return error.message;
  throw error;
}

/** So that what was begun is removed before the command ends. */
export function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(name, () => controller.abort(new BackupError(`Stopped by ${name}.`)));
  return controller.signal;
}
