import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import type pg from "pg";
import { z } from "zod";
import { DatabaseClient } from "./connect";

const OLDEST_MAJOR = 16;

/** Checked before anything is created: statements of a later page would fail. @param number as the setting `server_version_num` */
export function requireServerVersion(number: number): void {
  const major = Math.floor(number / 10_000);
  if (major < OLDEST_MAJOR)
    throw new Error(
      `the server is PostgreSQL ${major}, but the platform needs PostgreSQL ${OLDEST_MAJOR} or newer. Upgrade the server, or set DATABASE_URL to another one.`,
    );
}

interface Server {
  /** As `server_version_num`. */
  number: string;
  /** As `server_encoding`. */
  encoding: string;
  /** Quoted where SQL needs it, like the user. */
  database: string;
  user: string;
}

/** Also checked first: other encodings can't store every text, and names are compared by their normal form. */
export function requireUnicode({ encoding, database, user }: Omit<Server, "number">): void {
  if (encoding !== "UTF8")
    throw new Error(
      `the database has the encoding ${encoding}, but the platform needs UTF8. Drop it if it contains nothing that you need, and create it again: ` +
        `DROP DATABASE ${database}; CREATE DATABASE ${database} OWNER ${user} ENCODING 'UTF8' TEMPLATE template0;`,
    );
}

/** An arbitrary number. All processes that migrate this database take the same lock. */
const MIGRATION_LOCK = 4_150_717;

/** What a database was migrated to: its newest migration. */
export interface SchemaVersion {
  /** When the migration was written, in milliseconds. Migrations are applied in this order. */
  at: number;
  /** SHA-256 of its file, in hex. */
  hash: string;
}

export interface Migration extends SchemaVersion {
  /** The file, without `.sql`. */
  name: string;
}

const journalShape = z.object({ entries: z.array(z.looseObject({ tag: z.string(), when: z.number() })) });

/** The migrations of this release, the oldest first. */
export function listMigrations(migrationsFolder: string): Migration[] {
  const { entries } = readJournal(migrationsFolder);
  return readMigrationFiles({ migrationsFolder }).map(({ folderMillis, hash }, index) => ({
    name: entries[index]?.tag ?? "",
    at: folderMillis,
    hash,
  }));
}

function readJournal(migrationsFolder: string) {
  return journalShape.parse(
    JSON.parse(readFileSync(path.join(migrationsFolder, "meta/_journal.json"), "utf8")),
  );
}

/** Undefined if the database was never migrated. */
export async function readSchemaVersion(client: pg.ClientBase): Promise<SchemaVersion | undefined> {
  const { rows: found } = await client.query<{ known: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as known",
  );
  if (found[0]?.known !== true) return undefined;
  const { rows } = await client.query<{ at: string; hash: string }>(
    "select created_at as at, hash from drizzle.__drizzle_migrations order by created_at desc limit 1",
  );
  const [newest] = rows;
  return newest === undefined ? undefined : { at: Number(newest.at), hash: newest.hash };
}

/**
 * Applies the missing migrations. Processes that start at the same time wait for each other, and for a backup that reads the tables.
 * @param upTo applies only those up to this one
 * @param onWait called once if another process migrates or makes a backup right now, which may take long
 */
export async function migrateDatabase(
  url: string,
  migrationsFolder: string,
  { upTo, onWait }: { upTo?: SchemaVersion; onWait?: () => void } = {},
): Promise<void> {
  const client = new DatabaseClient({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows: servers } = await client.query<Server>(
      `select current_setting('server_version_num') as number, current_setting('server_encoding') as encoding,
        quote_ident(current_database()) as database, quote_ident(current_user) as user`,
    );
    const [server] = servers;
    if (server === undefined) throw new Error("the server did not describe itself");
    requireServerVersion(Number(server.number));
    requireUnicode(server);
    const last = upTo ?? listMigrations(migrationsFolder).at(-1);
    // Nothing to do: a start needn't wait for a backup.
    if (((await readSchemaVersion(client))?.at ?? -1) >= (last?.at ?? 0)) return;
    const { rows } = await client.query("select pg_try_advisory_lock($1) as locked", [MIGRATION_LOCK]);
    if (rows[0]?.locked !== true) {
      onWait?.();
      await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    }
    if (upTo === undefined) await migrate(drizzle(client), { migrationsFolder });
    else await migrateUpTo(client, migrationsFolder, upTo);
  } finally {
    await client.end();
  }
}

/** Drizzle applies whole folders. */
async function migrateUpTo(
  client: pg.Client,
  migrationsFolder: string,
  { at }: SchemaVersion,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "platform-migrations-"));
  try {
    const { entries, ...journal } = readJournal(migrationsFolder);
    const applied = entries.filter(({ when }) => when <= at);
    await mkdir(path.join(folder, "meta"));
    for (const { tag } of applied)
      await cp(path.join(migrationsFolder, `${tag}.sql`), path.join(folder, `${tag}.sql`));
    await writeFile(
      path.join(folder, "meta/_journal.json"),
      JSON.stringify({ ...journal, entries: applied }),
    );
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Keeps migrations waiting until the connection ends or `allowMigrations`. Otherwise a migration would wait for a lock of a table that is
 * being read, and every statement on that table behind it.
 */
export async function delayMigrations(client: pg.ClientBase): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1)", [MIGRATION_LOCK]);
}

export async function allowMigrations(client: pg.ClientBase): Promise<void> {
  await client.query("select pg_advisory_unlock_shared($1)", [MIGRATION_LOCK]);
}
