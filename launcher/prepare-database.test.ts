import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
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

// Guarantee: a password file that can't be used is named with what is wrong with it and the line that it needs.
test("a start says why the password file has no password", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "pgpass-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  onTestFinished(() => void vi.unstubAllEnvs());
  const warned = vi.spyOn(process.stderr, "write");
  onTestFinished(() => warned.mockRestore());
  const file = path.join(folder, "pass:word");
  vi.stubEnv("PGPASSFILE", file);
  const { hostname, port, password } = new URL(database.server);
  const line = `${hostname}:${port}:prepared:postgres:`;
  const prepare = () =>
    prepareDatabase(`postgres://postgres@${hostname}:${port}/prepared`, path.resolve("drizzle/migrations"));
  const expectError = (cause: string, fix: string) =>
    expect(prepare()).rejects.toThrow(
      `cannot be used: the server asks for a password, and the password file ${file} ${cause}.\n${fix}`,
    );

  await expectError(
    "does not exist",
    `Create it, or name another one in PGPASSFILE. It needs the line ${line}<password>, `,
  );
  await writeFile(file, `${hostname}:${port}:other:postgres:${password}\n`, { mode: 0o644 });
  await expectError("is ignored, because other users may access it (mode 644)", `Run: chmod 600 ${file}`);
  await chmod(file, 0o600);
  await expectError("has no line for this host, port, database and user", `Add the line ${line}<password>`);
  vi.stubEnv("PGPASSFILE", path.join(file, "below"));
  await expect(prepare()).rejects.toThrow("can't be read (ENOTDIR)");
  vi.stubEnv("PGPASSFILE", folder);
  await expect(prepare()).rejects.toThrow(`${folder} is not a file`);

  vi.stubEnv("PGPASSFILE", file);
  await writeFile(file, `${line}${password}\n`);
  await prepare();
  expect(warned.mock.calls.join()).not.toContain("WARNING");
});

// Guarantee: the statement that a start suggests creates a database that the platform can use.
test("a database without Unicode is refused with the statements that replace it", async () => {
  const admin = new pg.Client({ connectionString: `${database.server}/postgres` });
  await admin.connect();
  onTestFinished(() => admin.end());
  await admin.query(`create database "Old one" encoding 'SQL_ASCII' locale 'C' template template0`);
  const prepare = () => prepareDatabase(`${database.server}/Old%20one`, path.resolve("drizzle/migrations"));
  const error: unknown = await prepare().catch((thrown: unknown) => thrown);
  const [, drop = "", create = ""] =
    /(DROP DATABASE .+;) (CREATE DATABASE .+ OWNER postgres .+;)/.exec(String(error)) ?? [];
  expect(drop).toBe('DROP DATABASE "Old one";');
  // To drop one waits for a checkpoint.
  await admin.query('alter database "Old one" rename to older');
  await admin.query(create);
  await prepare();
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
