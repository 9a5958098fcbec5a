/** A platform with something of everything that a backup is about, and empty ones to restore it into. */
import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import pg from "pg";
import { v7 } from "uuid";
import { inject, onTestFinished } from "vitest";
import { versions } from "@/drizzle/schema/catalog";
import { toPublisher } from "@/lib/domain/platform/actor";
import { publishVersion } from "@/lib/server/catalog/publish/publish-version";
import { createTar, dockerArchive } from "@/lib/server/images/archive/test-archives";
import type { Keyring } from "@/lib/server/platform/keyring";
import type { Platform } from "@/lib/server/platform/platform";
import { MANIFEST, readBackup, SEAL, writeSeal } from "@/lib/server/surface/backup/backup-format";
import { restoreBackup } from "@/lib/server/surface/backup/restore-backup";
import { writeBackup } from "@/lib/server/surface/backup/write-backup";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";
import { givenListing, givenMember, SAMPLE_MANIFEST } from "./test-platform";

const MIGRATIONS = "drizzle/migrations";

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "backups-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type Options = Partial<Parameters<typeof writeBackup>[1]>;

export function backUp(platform: Platform, to: string, options: Options = {}) {
  return writeBackup(platform, { to, migrationsFolder: MIGRATIONS, platformVersion: "0.1.0", ...options });
}

/** Into the platform, which has the master keys. */
export async function restore(
  target: Platform,
  folder: string,
  options: Partial<Parameters<typeof restoreBackup>[2]> = {},
): Promise<void> {
  const backup = await readBackup(folder, target.keyring);
  await restoreBackup(target, backup, { migrationsFolder: MIGRATIONS, ...options });
}

/** With a new database without any table, an empty data folder, and the source's master keys. */
export async function givenEmptyPlatform(
  source: Platform,
  changes: Partial<Platform["environment"]> = {},
): Promise<Platform> {
  const server = inject("databaseServer");
  const name = `restored_${v7().replaceAll("-", "")}`;
  const admin = new pg.Client({ connectionString: `${server}/postgres` });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const dataDir = await mkdtemp(path.join(tmpdir(), "restored-data-"));
  const environment = { ...source.environment, DATABASE_URL: `${server}/${name}`, dataDir, ...changes };
  const target = createPlatform(environment, "test");
  onTestFinished(async () => {
    await closePlatform(target);
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
    await rm(dataDir, { recursive: true, force: true });
  });
  return target;
}

/** A role of PostgreSQL that may do nothing, and new databases that it owns. */
export async function givenRole(): Promise<{ name: string; createDatabase: () => Promise<string> }> {
  const server = inject("databaseServer");
  const name = `role_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ connectionString: `${server}/postgres` });
  await admin.connect();
  await admin.query(
    `create role ${name} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password 'of-the-role'`,
  );
  const databases: string[] = [];
  onTestFinished(async () => {
    for (const database of databases) await admin.query(`drop database ${database} with (force)`);
    await admin.query(`drop role ${name}`);
    await admin.end();
  });
  const createDatabase = async () => {
    const database = `${name}_${databases.length}`;
    await admin.query(`create database ${database} owner ${name}`);
    databases.push(database);
    await admin.query(`revoke all on database ${database} from public`);
    const url = new URL(`${server}/${database}`);
    url.username = name;
    url.password = "of-the-role";
    return url.href;
  };
  return { name, createDatabase };
}

/** A listing of the organization with a version whose image is in the store. */
export async function givenPublished(platform: Platform, slug: string, own = randomBytes(20_000)) {
  const member = await givenMember(platform, slug, "publisher");
  const { version } = await givenListing(platform, member, { appName: "with-image" });
  // Nobody ever uploaded its image.
  await platform.db.delete(versions).where(eq(versions.id, version.id));
  const manifest = { ...SAMPLE_MANIFEST, name: `${slug}/with-image`, version: "1.5.0" };
  const layers = await Promise.all([
    createTar([{ name: "platform-app.json", content: JSON.stringify(manifest) }]),
    createTar([{ name: "own", content: own }]),
  ]);
  const archive = Readable.from([await dockerArchive({ layers })]);
  return publishVersion(platform, toPublisher(member), { appName: "with-image", archive });
}

/** Writes a changed manifest as somebody with a master key would. */
export async function rewriteManifest(
  folder: string,
  { current }: Keyring,
  change: (text: string) => string,
): Promise<void> {
  const content = Buffer.from(change(await readFile(path.join(folder, MANIFEST), "utf8")));
  await writeFile(path.join(folder, MANIFEST), content);
  await writeFile(path.join(folder, SEAL), writeSeal(content, current));
}

/** The migrations of a later release, which has one more. */
export async function givenLaterMigrations(statement: string): Promise<string> {
  const folder = path.join(await temporaryFolder(), "migrations");
  await cp(MIGRATIONS, folder, { recursive: true });
  const journal = path.join(folder, "meta/_journal.json");
  const { entries, ...rest }: { entries: { when: number }[] } = JSON.parse(await readFile(journal, "utf8"));
  const when = Math.max(...entries.map((entry) => entry.when)) + 1;
  const entry = { idx: entries.length, version: "7", when, tag: "9999_later", breakpoints: true };
  await writeFile(journal, JSON.stringify({ ...rest, entries: [...entries, entry] }));
  await writeFile(path.join(folder, "9999_later.sql"), statement);
  return folder;
}

/** All files of the backup, relative to it. */
export async function listBackup(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** A copy that a test may damage. */
export async function copyBackup(folder: string): Promise<string> {
  const copy = path.join(await temporaryFolder(), "copy");
  await cp(folder, copy, { recursive: true });
  return copy;
}
