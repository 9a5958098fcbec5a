import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startTemporaryDatabase, type TemporaryDatabase } from "@/tests/temporary-database";
import { migrateDatabase, readSchemaVersion } from "@/lib/server/platform/database/migrate";
import { givenLaterMigrations } from "@/tests/backup-world";
import { prepareDatabase } from "./prepare-database";

/** The lock that everything that migrates takes. */
const MIGRATION_LOCK = 4_150_717;

let database: TemporaryDatabase;
beforeAll(async () => {
  database = await startTemporaryDatabase("prepared");
}, 120_000);
afterAll(() => database.stop());

// Guarantee: a start that waits for another launch says so, instead of being silent until that one has migrated.
test("a start that waits for another migration says what it waits for", async () => {
  const said: string[] = [];
  vi.spyOn(console, "log").mockImplementation((text) => void said.push(String(text)));
  onTestFinished(() => void vi.restoreAllMocks());
  const url = `${database.server}/prepared`;
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  // A database that lacks nothing is not waited for.
  await other.query("drop schema public cascade; drop schema drizzle cascade; create schema public");
  await other.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
  const prepared = prepareDatabase(url, path.resolve("drizzle/migrations"));
  await expect.poll(() => said.join("\n")).toMatch(/^Waiting until another launch has migrated the database/);
  await other.end();
  await prepared;
});

// Guarantee: an upgrade that fails leaves the release that runs as it is, and can be tried again.
test("a migration that fails in the middle changes nothing, and its successor applies", async () => {
  const url = `${database.server}/prepared`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const before = await readSchemaVersion(client);
    const tables = async () => {
      const { rows } = await client.query("select to_regclass('begun') is not null as begun");
      const { rows: locks } = await client.query("select from pg_locks where locktype = 'advisory'");
      return { begun: rows[0]?.begun, locks: locks.length, version: await readSchemaVersion(client) };
    };
    const broken = await givenLaterMigrations(
      "create table begun ();--> statement-breakpoint\ninsert into workers default values; select 1 / 0;",
    );
    await expect(migrateDatabase(url, broken)).rejects.toThrow(/Failed query/);
    await expect.poll(tables).toEqual({ begun: false, locks: 0, version: before });
    await migrateDatabase(url, await givenLaterMigrations("create table begun ();"));
    expect(await tables()).toMatchObject({ begun: true, version: { at: (before?.at ?? 0) + 1 } });
  } finally {
    await client.end();
  }
});
