import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startTemporaryDatabase, type TemporaryDatabase } from "@/tests/temporary-database";
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
