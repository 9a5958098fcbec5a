/**
 * Makes a backup while the platform runs: the rows of one moment, then the blobs that these rows name. Nothing waits for it except
 * migrations, until the rows are read, and the removal of blobs, until they are copied.
 */
import { createHash, randomUUID } from "node:crypto";
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { PoolClient } from "pg";
import { delayBlobRemoval, selectNamedBlobs } from "../../images/blob-queries";
import { BlobChanged, BlobMissing, openStore, verifyBlob } from "../../images/blob-store";
import { createOwnedFolder, isLeftOver } from "../../images/incoming-folder";
import { oldArchivePath } from "../../images/open-archive";
import { findWrappedKeyFaults, listKeysInUse } from "../../platform/check-keyring";
import { connectDatabase, onConnection, redactQueryError } from "../../platform/database/connect";
import {
  beginSnapshot,
  commit,
  readRows,
  readSequences,
  readTables,
  requireConnection,
  type TableShape,
  waitPatiently,
} from "../../platform/database/copy-tables";
import {
  allowMigrations,
  delayMigrations,
  listMigrations,
  readSchemaVersion,
} from "../../platform/database/migrate";
import { fingerprint, type Keyring } from "../../platform/keyring";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import {
  type BackupBlob,
  BackupError,
  type BackupManifest,
  type BackupTable,
  blobFile,
  FORMAT,
  MANIFEST,
  parseManifest,
  SEAL,
  tableFile,
  writeSeal,
} from "./backup-format";
import { insertBackup, markChecked, ROWS_TO_KEEP } from "./backup-queries";

/** Takes a line about what is done. The next step waits for it. */
export type Report = (line: string) => unknown;

export interface BackupOptions {
  /** The folder that will be the backup. It must not exist, and the folder around it must. */
  to: string;
  migrationsFolder: string;
  platformVersion: string;
  signal?: AbortSignal;
  report?: Report;
}

type Recorded = Omit<BackupManifest, "blobs" | "lost">;
type Wanted = Awaited<ReturnType<typeof selectNamedBlobs>>;

/** @returns what is in the backup. `lost`: blobs that the store doesn't have, or has with other bytes. */
export async function writeBackup(platform: Platform, options: BackupOptions): Promise<BackupManifest> {
  const { to, signal, report } = options;
  if ((await lstat(to).catch(() => undefined)) !== undefined)
    throw new BackupError(
      `${to} exists already. Choose another name: an existing backup is never overwritten.`,
    );
  const parent = path.dirname(path.resolve(to));
  // Beside it, so that the complete backup gets its name in one step.
  const draft = await createDraft(parent);
  try {
    for (const name of ["tables", "blobs"]) await mkdir(path.join(draft, name), { mode: 0o700 });
    const manifest = await withConnection(platform, "backup", async (client) => {
      await delayBlobRemoval(onConnection(client));
      const { recorded, wanted } = await readDatabase(platform, client, draft, options);
      const blobs = await copyBlobs(platform, wanted, draft, options);
      // If the connection was lost, blobs may have been removed since.
      await requireConnection(client);
      return { ...recorded, ...blobs };
    });
    await writeManifest(draft, manifest, platform.keyring);
    signal?.throwIfAborted();
    await rename(draft, to);
    await sync(parent);
    await report?.(`The backup is complete: ${to}`);
    await recordBackup(platform, manifest, report);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw explainFull(error, parent);
  }
}

/** So that moderators see when the last one was made. The backup is there whether this succeeds or not. */
async function recordBackup(
  { db, keyring }: Platform,
  { id, takenAt, tables, blobs, lost }: BackupManifest,
  report: Report | undefined,
): Promise<void> {
  const bytes = [...tables, ...blobs].reduce((sum, file) => sum + file.bytes, 0);
  try {
    await db.transaction(async (tx) => {
      await insertBackup(tx, { id, takenAt: new Date(takenAt), bytes, lostBlobs: lost.length });
      const [action, subject] = ["platform.backup", `backup:${id}`] as const;
      await recordAudit(tx, keyring, { chain: "platform", actor: "operator:command", action, subject });
    });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    await report?.(
      `WARNING: the Operation page doesn't show this backup: ${describe(redactQueryError(cause))}`,
    );
  }
}

/** Every file was read and found unchanged. False if the backup is not recorded in this database. */
export async function recordCheck({ db, keyring }: Platform, { id }: BackupManifest): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await markChecked(tx, id))) return false;
    const [action, subject] = ["platform.check-backup", `backup:${id}`] as const;
    await recordAudit(tx, keyring, { chain: "platform", actor: "operator:command", action, subject });
    return true;
  });
}

const DRAFT = ".incomplete-backup-";

/** Also removes what backups that were killed have left in the folder. */
async function createDraft(parent: string): Promise<string> {
  try {
    for (const name of await readdir(parent))
      if (name.startsWith(DRAFT) && (await isLeftOver(name, DRAFT)) === true)
        await rm(path.join(parent, name), { recursive: true, force: true });
    return await createOwnedFolder(parent, DRAFT);
  } catch (error) {
    throw new BackupError(
      `${parent} can't be written: ${describe(error)}. Create the folder, or choose another one.`,
    );
  }
}

/** One that may wait for a slow disk as long as it takes. */
export async function withConnection<Result>(
  platform: Platform,
  name: "backup" | "restore",
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const { environment, log } = platform;
  const warn = (err: Error) => log.warn({ err }, "database connection lost");
  // Not `connect`, which ends connections when the database seems to hang. It seems so during a restoration, which locks all tables.
  const { pool } = connectDatabase(environment.DATABASE_URL, warn, {
    max: 1,
    keepAlive: true,
    application_name: `platform ${name}`,
  });
  const client = await pool.connect();
  try {
    await waitPatiently(client);
    return await work(client);
  } finally {
    // Whatever was locked ends with the connection.
    client.release(true);
    await pool.end();
  }
}

async function readDatabase(
  { keyring }: Platform,
  client: PoolClient,
  draft: string,
  { migrationsFolder, platformVersion, signal, report }: BackupOptions,
): Promise<{ recorded: Recorded; wanted: Wanted }> {
  await delayMigrations(client);
  const schema = await requireCurrentSchema(client, migrationsFolder);
  const takenAt = await beginSnapshot(client);
  const db = onConnection(client);
  const keys = await requireKeys(keyring, client);
  const shapes = await readTables(client);
  const tables: BackupTable[] = [];
  for (const shape of shapes) {
    signal?.throwIfAborted();
    tables.push(await copyTable(client, shape, draft, signal));
  }
  const sequences = await readSequences(client);
  const wanted = await selectNamedBlobs(db);
  await commit(client);
  await allowMigrations(client);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  await report?.(`Database: ${tables.length} tables, ${count(rows, "row")}, ${megabytes(bytes)}`);
  const recorded = {
    format: FORMAT,
    id: randomUUID(),
    platform: platformVersion,
    schema,
    takenAt: takenAt.toISOString(),
    keys,
    tables,
    sequences,
  } as const;
  return { recorded, wanted };
}

/** A backup records the schema by its name, so this release must know it. */
async function requireCurrentSchema(client: PoolClient, migrationsFolder: string) {
  const version = await readSchemaVersion(client);
  const newest = listMigrations(migrationsFolder).at(-1);
  if (newest !== undefined && version?.at === newest.at && version.hash === newest.hash) return newest;
  throw new BackupError(
    version === undefined || version.at < (newest?.at ?? 0)
      ? "The database is older than this version of the platform. Back it up with the version that runs on it, or start the platform once to migrate it."
      : "The database is of another version of the platform. Back it up with that version.",
  );
}

/** The keys that wrap something, and the one that seals the backup. */
async function requireKeys(keyring: Keyring, client: PoolClient): Promise<BackupManifest["keys"]> {
  const db = onConnection(client);
  const faults = await findWrappedKeyFaults(keyring, db);
  if (faults.length > 0)
    throw new BackupError(
      `${faults.join("\n")}\nThis backup could not be restored with these keys. Set PLATFORM_MASTER_KEYS as for the running platform.`,
    );
  const ids = new Set([keyring.current.id, ...(await listKeysInUse(db))]);
  return [...ids].flatMap((id) => {
    const master = keyring.byId.get(id);
    return master === undefined ? [] : [{ id, fingerprint: fingerprint(master) }];
  });
}

const LINE_END = 0x0a;

async function copyTable(
  client: PoolClient,
  shape: TableShape,
  draft: string,
  signal: AbortSignal | undefined,
): Promise<BackupTable> {
  let rows = 0;
  const hash = createHash("sha256");
  const bytes = await writeWhole(
    path.join(draft, tableFile(shape.name)),
    readRows(client, shape, ROWS_TO_KEEP[shape.name]),
    signal,
    (chunk) => {
      hash.update(chunk);
      // A line end within a value is written as \n.
      for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) rows += 1;
    },
  );
  return { ...shape, rows, bytes, sha256: hash.digest("hex") };
}

async function copyBlobs(
  { environment }: Platform,
  wanted: Wanted,
  draft: string,
  { signal, report }: BackupOptions,
): Promise<Pick<BackupManifest, "blobs" | "lost">> {
  const store = openStore(environment);
  const blobs: BackupBlob[] = [];
  const lost: BackupBlob[] = [];
  const progress = createProgress(
    "Images",
    wanted.reduce((sum, { bytes }) => sum + bytes, 0),
    report,
  );
  for (const { isArchive, kind, digest, bytes } of wanted) {
    const blob = { kind: isArchive ? ("archive" as const) : kind, digest, bytes };
    const file = path.join(draft, blobFile(digest));
    try {
      const content = isArchive
        ? verifyBlob({ kind, digest }, await readArchive(oldArchivePath(environment, digest)))
        : await store.read({ kind, digest });
      const written = await writeWhole(file, content, signal, (chunk) => progress(chunk.length));
      blobs.push({ ...blob, bytes: written });
    } catch (error) {
      if (!isLost(error)) throw error;
      await rm(file, { force: true });
      lost.push(blob);
    }
  }
  await report?.(
    `Images: ${count(blobs.length, "blob")}, ${megabytes(blobs.reduce((sum, { bytes }) => sum + bytes, 0))}`,
  );
  return { blobs, lost };
}

async function readArchive(file: string): Promise<AsyncIterable<Buffer>> {
  const handle = await open(file, "r");
  return handle.createReadStream({ highWaterMark: 256 * 1024 });
}

function isLost(error: unknown): boolean {
  if (error instanceof BlobMissing || error instanceof BlobChanged) return true;
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** The file is on the disk when this returns. Returns its size. */
export async function writeWhole(
  file: string,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
  onChunk?: (chunk: Buffer) => void,
): Promise<number> {
  let bytes = 0;
  const handle = await open(file, "wx", 0o600);
  try {
    for await (const chunk of content) {
      signal?.throwIfAborted();
      onChunk?.(chunk);
      bytes += chunk.length;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return bytes;
}

async function writeManifest(draft: string, manifest: BackupManifest, keyring: Keyring): Promise<void> {
  const content = Buffer.from(`${JSON.stringify(manifest)}\n`);
  // What can't be read again must not become a backup.
  parseManifest(content.toString("utf8"));
  const options = { mode: 0o600, flag: "wx", flush: true };
  await writeFile(path.join(draft, MANIFEST), content, options);
  await writeFile(path.join(draft, SEAL), writeSeal(content, keyring.current), options);
  for (const name of ["tables", "blobs", "."]) await sync(path.join(draft, name));
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

function explainFull(error: unknown, parent: string): unknown {
  const isFull =
    error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
  if (!isFull) return error;
  return new BackupError(
    `The disk of ${parent} is full. What was written has been removed. Free some space, or choose another disk.`,
  );
}

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error));

export const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const MEGABYTE = 1_000_000;
export const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
const REPORT_MS = 5_000;

/** Says every few seconds how far it is. */
export function createProgress(
  what: string,
  total: number,
  report: Report | undefined,
): (bytes: number) => void {
  let done = 0;
  let last = Date.now();
  return (bytes) => {
    done += bytes;
    if (Date.now() - last < REPORT_MS) return;
    last = Date.now();
    report?.(`${what}: ${megabytes(done)} of ${megabytes(total)}`);
  };
}
