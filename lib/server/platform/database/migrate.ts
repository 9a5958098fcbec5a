import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";

const OLDEST_MAJOR = 16;

/** Checked before anything is created: statements of a later page would fail. @param number as the setting `server_version_num` */
export function requireServerVersion(number: number): void {
  const major = Math.floor(number / 10_000);
  if (major < OLDEST_MAJOR)
    throw new Error(
      `the server is PostgreSQL ${major}, but the platform needs PostgreSQL ${OLDEST_MAJOR} or newer. Upgrade the server, or set DATABASE_URL to another one.`,
    );
}

/** An arbitrary number. All processes that migrate this database take the same lock. */
const MIGRATION_LOCK = 4_150_717;

/**
 * Applies the missing migrations. Processes that start at the same time wait for each other.
 * @param onWait called once if another one migrates right now, which may take long
 */
export async function migrateDatabase(
  url: string,
  migrationsFolder: string,
  onWait: () => void = () => undefined,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const version = await client.query<{ number: string }>(
      "select current_setting('server_version_num') as number",
    );
    requireServerVersion(Number(version.rows[0]?.number));
    const { rows } = await client.query("select pg_try_advisory_lock($1) as locked", [MIGRATION_LOCK]);
    if (rows[0]?.locked !== true) {
      onWait();
      await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    }
    await migrate(drizzle(client), { migrationsFolder });
  } finally {
    await client.end();
  }
}
