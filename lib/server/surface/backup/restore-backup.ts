/**
 * Fills an empty database and an empty store from a backup. What could refuse it comes before anything is written:
 *
 * 1. the manifest, its seal and the master keys (`readBackup`), the schema, the database, the store, and then every file
 * 2. the schema of the backup, and the blobs, so that no row ever names a blob that isn't there
 * 3. all rows, in one transaction, which also puts the platform on hold
 * 4. the migrations since the backup, and what must not be believed anymore
 *
 * If step 2 or 3 fails, the blobs are removed again and the database has no rows, so it can be tried again.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { PoolClient } from "pg";
import { BlobChanged, type BlobStore, openStore, verifyBlob } from "../../images/blob-store";
import {
  bundleFolder,
  createIncomingFolder,
  removeIncomingFolder,
  toStorageProblem,
} from "../../images/incoming-folder";
import { oldArchivePath } from "../../images/open-archive";
import { type Db, onConnection } from "../../platform/database/connect";
import {
  analyzeTables,
  beginFilling,
  commit,
  countRows,
  fillTables,
  findFilledTables,
  lockTables,
  readTables,
  setSequences,
  type TableShape,
} from "../../platform/database/copy-tables";
import { listMigrations, migrateDatabase, readSchemaVersion } from "../../platform/database/migrate";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import {
  type Backup,
  type BackupBlob,
  BackupError,
  type BackupManifest,
  type BackupTable,
  blobFile,
  checkFiles,
  damaged,
  readFile,
  tableFile,
} from "./backup-format";
import {
  endRestoredInstances,
  insertRestoration,
  releaseRestorations,
  revokeRestoredSessions,
} from "./backup-queries";
import { count, createProgress, megabytes, type Report, withConnection, writeWhole } from "./write-backup";

export interface RestoreOptions {
  migrationsFolder: string;
  signal?: AbortSignal;
  report?: Report;
}

/** @param platform of the empty database and store, with the backup's master keys */
export async function restoreBackup(
  platform: Platform,
  backup: Backup,
  options: RestoreOptions,
): Promise<void> {
  const { manifest } = backup;
  const { migrationsFolder, signal, report } = options;
  const url = platform.environment.DATABASE_URL;
  requireKnownSchema(manifest, migrationsFolder);
  await withConnection(platform, "restore", async (client) => {
    await requireEmptyDatabase(client, manifest);
    await requireEmptyStore(platform, manifest.blobs);
    await checkBackup(backup, options);

    await migrateDatabase(url, migrationsFolder, { upTo: manifest.schema });
    const shapes = await requireSameTables(client, manifest);
    const removeBlobs = await storeBlobs(platform, backup, options);
    try {
      await fillDatabase(client, shapes, backup, signal);
    } catch (error) {
      await removeBlobs();
      throw error;
    }
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    await report?.(
      `Database: ${manifest.tables.length} tables with ${count(rows, "row")}, as many as in the backup`,
    );
    await analyzeTables(client);
  });
  await migrateDatabase(url, migrationsFolder);
  await platform.db.transaction(async (tx) => {
    await endRestoredInstances(tx);
    await revokeRestoredSessions(tx);
    await recordAudit(tx, platform.keyring, {
      chain: "platform",
      actor: "operator:command",
      action: "platform.restore",
      subject: `backup:${manifest.id}`,
      details: { takenAt: manifest.takenAt },
    });
  });
}

/** Lets the worker act on what was restored. False if nothing is on hold. */
export async function releaseRestored({ db, keyring }: Platform): Promise<boolean> {
  return db.transaction(async (tx: Db) => {
    const released = await releaseRestorations(tx);
    if (released.length === 0) return false;
    // A restoration that was cut off after the rows were there has not done it.
    await endRestoredInstances(tx);
    for (const backupId of released)
      await recordAudit(tx, keyring, {
        chain: "platform",
        actor: "operator:command",
        action: "platform.release",
        subject: `backup:${backupId}`,
      });
    return true;
  });
}

/** Reads every file of the backup, and says how far it is. */
export async function checkBackup(
  backup: Backup,
  { signal, report }: Pick<RestoreOptions, "signal" | "report">,
): Promise<void> {
  const { tables, blobs } = backup.manifest;
  const total = [...tables, ...blobs].reduce((sum, { bytes }) => sum + bytes, 0);
  await checkFiles(backup, { signal, onProgress: createProgress("Checked", total, report) });
  await report?.(`Checked: ${tables.length + blobs.length} files, ${megabytes(total)}`);
}

function requireKnownSchema({ schema, platform }: BackupManifest, migrationsFolder: string): void {
  const migrations = listMigrations(migrationsFolder);
  if (migrations.some(({ at, hash }) => at === schema.at && hash === schema.hash)) return;
  const isNewer = schema.at > (migrations.at(-1)?.at ?? 0);
  throw new BackupError(
    isNewer
      ? `The backup is of a newer version of the platform (${platform}, schema ${schema.name}). Restore it with that version or a later one.`
      : `The backup has the schema ${schema.name}, which this version of the platform doesn't know in this form. Restore it with the version that made it: ${platform}.`,
  );
}

const NEW_DATABASE =
  "Restore into an empty one: create a database and set DATABASE_URL, or choose an empty folder with PLATFORM_DATA_DIR.";

async function requireEmptyDatabase(client: PoolClient, { schema }: BackupManifest): Promise<void> {
  const tables = await readTables(client);
  const filled = await findFilledTables(client, tables);
  if (filled.length > 0) throw new BackupError(describeFilled(filled));
  const version = await readSchemaVersion(client);
  if (version === undefined && tables.length > 0)
    throw new BackupError(
      `The database contains tables that are not the platform's, such as ${tables[0]?.name ?? ""}. ${NEW_DATABASE}`,
    );
  if (version !== undefined && version.at > schema.at)
    throw new BackupError(
      `The database has no rows, but a newer schema than the backup, which has ${schema.name}. ${NEW_DATABASE}`,
    );
}

function describeFilled(filled: string[]): string {
  const some = filled.slice(0, 5).join(", ");
  const more = filled.length > 5 ? ` and ${filled.length - 5} more` : "";
  return `The database is not empty: there are rows in ${some}${more}. ${NEW_DATABASE}`;
}

async function requireEmptyStore({ environment }: Platform, blobs: readonly BackupBlob[]): Promise<void> {
  const store = openStore(environment);
  const folder = bundleFolder(environment);
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = names.filter((entry) => entry.isFile());
  if (files.length > 0)
    throw new BackupError(
      `The image store is not empty: ${folder} contains ${count(files.length, "file")}. Choose an empty folder with PLATFORM_DATA_DIR, or remove them if they are left over from an interrupted restore.`,
    );
  if (store.name === "folder") return;
  for (const blob of blobs) {
    if (blob.kind === "archive") continue;
    if (await store.has({ kind: blob.kind, digest: blob.digest }))
      throw new BackupError(
        `The registry already has the blob ${blob.digest}. Use a separate repository in PLATFORM_REGISTRY_URL: two platforms that share one remove each other's images.`,
      );
  }
}

/** Columns decide, not names of versions. */
async function requireSameTables(client: PoolClient, { tables }: BackupManifest): Promise<TableShape[]> {
  const shapes = await readTables(client);
  const describe = (all: readonly TableShape[]) =>
    all.map(({ name, columns }) => `${name} (${[...columns].sort().join(", ")})`).sort();
  const [here, there] = [describe(shapes), describe(tables)];
  const other = here.find((one) => !there.includes(one)) ?? there.find((one) => !here.includes(one));
  if (other === undefined) return shapes;
  throw new BackupError(
    `The backup's tables are not those of its schema: ${other} differs. The schema was changed by hand.`,
  );
}

/** Returns what removes them again. */
async function storeBlobs(
  { environment }: Platform,
  { folder, manifest }: Backup,
  { signal, report }: RestoreOptions,
): Promise<() => Promise<void>> {
  const store = openStore(environment);
  const total = manifest.blobs.reduce((sum, { bytes }) => sum + bytes, 0);
  const progress = createProgress("Images", total, report);
  const stored: BackupBlob[] = [];
  const removeAll = async () => {
    for (const blob of stored.reverse()) {
      if (blob.kind === "archive") await rm(oldArchivePath(environment, blob.digest), { force: true });
      // What can't be removed, the message says: the store is not empty.
      else await store.remove({ kind: blob.kind, digest: blob.digest }).catch(() => undefined);
    }
  };
  try {
    // A registry takes a manifest only after what it names.
    const ordered = [...manifest.blobs].sort((one, other) => rank(one) - rank(other));
    for (const blob of ordered) {
      stored.push(blob);
      await storeBlob(store, blob, readFile(folder, blobFile(blob.digest), blob.bytes, signal));
      progress(blob.bytes);
    }
  } catch (error) {
    await removeAll();
    if (error instanceof BlobChanged) throw damaged("blobs", error.message);
    throw toStorageProblem(error);
  }
  await report?.(`Images: ${count(manifest.blobs.length, "blob")}, ${megabytes(total)}`);
  return removeAll;

  async function storeBlob(to: BlobStore, blob: BackupBlob, content: AsyncIterable<Buffer>) {
    const { kind, digest, bytes } = blob;
    if (kind !== "archive") return to.write({ kind, digest, bytes }, content);
    const incoming = await createIncomingFolder(environment);
    try {
      const file = path.join(incoming, "archive");
      await writeWhole(file, verifyBlob({ kind: "blob", digest }, content), signal);
      await mkdir(bundleFolder(environment), { recursive: true, mode: 0o700 });
      await rename(file, oldArchivePath(environment, digest));
    } finally {
      await removeIncomingFolder(incoming);
    }
  }
}

const rank = ({ kind }: BackupBlob) => (kind === "manifest" ? 1 : 0);

/** One transaction: all rows or none. */
async function fillDatabase(
  client: PoolClient,
  shapes: readonly TableShape[],
  { folder, manifest }: Backup,
  signal: AbortSignal | undefined,
): Promise<void> {
  await beginFilling(client);
  await lockTables(client, shapes);
  // Somebody may have started a platform on it since.
  const filled = await findFilledTables(client, shapes);
  if (filled.length > 0) throw new BackupError(describeFilled(filled));
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  await fillTables(client, manifest.tables, ({ name }) => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`the backup has no table ${name}`);
    return readTable(folder, table, signal);
  });
  await setSequences(client, manifest.sequences);
  for (const { name, rows } of manifest.tables) {
    const restored = await countRows(client, name);
    if (restored !== rows) throw new Error(`${name} has ${restored} rows instead of ${rows}`);
  }
  await insertRestoration(onConnection(client), {
    backupId: manifest.id,
    backedUpAt: new Date(manifest.takenAt),
  });
  signal?.throwIfAborted();
  await commit(client);
}

/** Fails before the last rows if they are not the backup's anymore. */
async function* readTable(
  folder: string,
  { name, bytes, sha256 }: BackupTable,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of readFile(folder, tableFile(name), bytes, signal)) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest("hex") !== sha256) throw damaged(tableFile(name), "its content was changed");
}
