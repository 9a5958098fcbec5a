/** `npm run backup` and `npm run restore` as processes. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "@/lib/server/images/blob-store";
import { newMasterKey, readKeyring } from "@/lib/server/platform/keyring";
import { rotateKeys } from "@/lib/server/platform/rotate-keys";
import { migrateDatabase } from "@/lib/server/platform/database/migrate";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";
import { backUp, givenEmptyPlatform, givenPublished, givenRole, temporaryFolder } from "./backup-world";
import { testPlatform } from "./test-platform";

const KEY = newMasterKey("kept-elsewhere");
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: KEY });
const ROOT = path.join(import.meta.dirname, "..");

const envOf = ({ environment }: typeof platform, changes: Record<string, string | undefined> = {}) => ({
  PATH: process.env.PATH,
  NODE_ENV: "production" as const,
  DATABASE_URL: environment.DATABASE_URL,
  PLATFORM_MASTER_KEYS: KEY,
  PLATFORM_DATA_DIR: environment.dataDir,
  ...changes,
});

function run(command: "backup" | "restore", args: string[], env = envOf(platform)) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(ROOT, "upkeep/run.mjs"), command, ...args],
      { cwd: ROOT, env },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

const PATIENCE = { timeout: 120_000 };
const [, SECRET = ""] = KEY.split(":");

function expectNoSecret(output: string): void {
  expect(output).not.toContain(SECRET);
  expect(output).not.toContain("postgres://");
}

// Guarantee: an operator needs the backup and the master keys, and nothing else, to have the platform on a new machine.
test("a backup is restored into an embedded database of a new data folder", PATIENCE, async () => {
  await givenPublished(platform, "acme");
  const folder = await temporaryFolder();
  const to = path.join(folder, "backup");
  const made = await run("backup", ["--to", to]);
  expect(made).toEqual({ code: 0, output: expect.stringMatching(/^Database: \d+ tables, \d+ rows/) });
  expect(made.output).toContain(
    `The backup is complete: ${to}\nTo restore it, you need these master keys: kept-elsewhere`,
  );
  expectNoSecret(made.output);

  const dataDir = path.join(folder, "data");
  const env = envOf(platform, { DATABASE_URL: undefined, PLATFORM_DATA_DIR: dataDir });
  const { code, output } = await run("restore", ["--from", to], env);
  expect(output).toMatch(/ok {6}keys: .*\nok {6}secrets: .*\nok {6}audit: .*\nok {6}images: 4 blobs/);
  expect(output).toContain("npm run restore -- --release");
  expect(code).toBe(0);
  expectNoSecret(output);
  const secrets = JSON.parse(await readFile(path.join(dataDir, "secrets.json"), "utf8"));
  expect(secrets).toMatchObject({ masterKeys: KEY });
  // With the embedded PostgreSQL, a part of it may be in /var/lib.
  if (typeof secrets.postgresFolder === "string")
    await rm(path.join("/var/lib/app-hosting-platform", secrets.postgresFolder), { recursive: true });
});

test(
  "a platform is restored into a given database, and released by a command of its own",
  PATIENCE,
  async () => {
    const to = path.join(await temporaryFolder(), "backup");
    await backUp(platform, to);
    const target = await givenEmptyPlatform(platform);
    const restored = await run("restore", ["--from", to], envOf(target));
    expect(restored.code).toBe(0);
    expectNoSecret(restored.output);
    const released = await run("restore", ["--release"], envOf(target));
    expect(released).toEqual({ code: 0, output: expect.stringContaining("Released") });
    const { rows } = await target.pool.query(
      "select action from audit where chain = 'platform' order by position",
    );
    expect(rows.slice(-2)).toEqual([{ action: "platform.restore" }, { action: "platform.release" }]);
  },
);

// Guarantee: neither command needs more of PostgreSQL than the platform itself.
test("a role that owns its databases, and may do nothing else, backs up and restores", PATIENCE, async () => {
  const role = await givenRole();
  const url = await role.createDatabase();
  await migrateDatabase(url, "drizzle/migrations");
  const owned = createPlatform({ ...platform.environment, DATABASE_URL: url }, "test");
  onTestFinished(() => closePlatform(owned));
  const { rows } = await owned.pool.query(
    "select rolsuper, rolcreatedb from pg_roles where rolname = current_user",
  );
  expect(rows).toEqual([{ rolsuper: false, rolcreatedb: false }]);
  await givenPublished(owned, "acme");
  const folder = await temporaryFolder();
  const to = path.join(folder, "backup");
  const made = await run("backup", ["--to", to], envOf(owned));
  expect(made).toEqual({ code: 0, output: expect.not.stringContaining("WARNING") });
  const checked = await run("backup", ["--check", to], envOf(owned));
  expect(checked).toEqual({ code: 0, output: expect.not.stringContaining("Not recorded") });
  const { rows: recorded } = await owned.pool.query(
    "select lost_blobs, checked_at is not null as is_checked from backups",
  );
  expect(recorded).toEqual([{ lost_blobs: 0, is_checked: true }]);

  const env = envOf(platform, {
    DATABASE_URL: await role.createDatabase(),
    PLATFORM_DATA_DIR: path.join(folder, "data"),
  });
  const restored = await run("restore", ["--from", to, "--release"], env);
  expect(restored.output).toMatch(
    /ok {6}keys: .*\nok {6}secrets: .*\nok {6}audit: .*\nok {6}images: 4 blobs/,
  );
  expect(restored.output).toContain("Released.");
  expect(restored.code).toBe(0);
});

test("a check whose master keys don't open the database names the missing one", PATIENCE, async () => {
  const url = await (await givenRole()).createDatabase();
  await migrateDatabase(url, "drizzle/migrations");
  const owned = createPlatform({ ...platform.environment, DATABASE_URL: url }, "test");
  onTestFinished(() => closePlatform(owned));
  const to = path.join(await temporaryFolder(), "backup");
  expect((await run("backup", ["--to", to], envOf(owned))).code).toBe(0);
  await rotateKeys({ ...owned, keyring: readKeyring(`${newMasterKey("next")},${KEY}`) });
  expect((await run("backup", ["--check", to], envOf(owned))).output).toContain(
    "Not recorded on the Operation page: PLATFORM_MASTER_KEYS lacks the key 'next'",
  );
});

// Guarantee: an operator can keep the role of backups from changing anything.
test("a role that only reads backs up, and says that it can't record it", PATIENCE, async () => {
  const { name } = await givenRole();
  await givenPublished(platform, "acme");
  await platform.pool.query(`grant pg_read_all_data to ${name}`);
  const url = new URL(platform.environment.DATABASE_URL);
  url.username = name;
  url.password = "of-the-role";
  const to = path.join(await temporaryFolder(), "backup");
  const { code, output } = await run("backup", ["--to", to], envOf(platform, { DATABASE_URL: url.href }));
  expect(output).toContain(
    `The backup is complete: ${to}\nWARNING: the Operation page doesn't show this backup: `,
  );
  expect(code).toBe(0);
  expect((await run("backup", ["--check", to], envOf(platform))).code).toBe(0);
});

// Guarantee: a backup that was killed has no name that anybody could take for a backup, and the next one removes it.
test("a backup that is killed leaves nothing for long", PATIENCE, async () => {
  await givenPublished(platform, "acme");
  const store = openStore(platform.environment);
  const { rows } = await platform.pool.query<{ digest: string }>("select digest from stored_blobs limit 1");
  const blob = await store.place({ kind: "blob", digest: rows[0]?.digest ?? "" }, "");
  // Whoever reads it waits.
  const content = await readFile(blob);
  await rm(blob);
  execFileSync("mkfifo", [blob]);
  const folder = await temporaryFolder();
  const to = path.join(folder, "backup");
  const child = spawn(process.execPath, [path.join(ROOT, "upkeep/run.mjs"), "backup", "--to", to], {
    cwd: ROOT,
    env: envOf(platform),
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^\.incomplete-backup-/)]);
  await rm(blob);
  await store.write(
    { kind: "blob", digest: rows[0]?.digest ?? "", bytes: content.length },
    toChunks(content),
  );
  expect((await run("backup", ["--to", to])).code).toBe(0);
  expect(await readdir(folder)).toEqual(["backup"]);
});

async function* toChunks(content: Buffer) {
  yield content;
}

test(
  "options are explained, and an image that the store has lost has its own exit code",
  PATIENCE,
  async () => {
    expect(await run("backup", ["--help"])).toEqual({
      code: 0,
      output: expect.stringContaining("Exit codes:"),
    });
    expect(await run("restore", ["--wrong"])).toEqual({
      code: 1,
      output: expect.stringContaining("Exit codes:"),
    });
    // Nobody reads what it prints.
    const piped = `set -o pipefail; "${process.execPath}" upkeep/run.mjs backup --help | true`;
    execFileSync("bash", ["-c", piped], { cwd: ROOT, env: envOf(platform) });
    const to = path.join(await temporaryFolder(), "backup");
    await givenPublished(platform, "acme");
    const { rows } = await platform.pool.query<{ digest: string }>("select digest from stored_blobs limit 1");
    await openStore(platform.environment).remove({ kind: "blob", digest: rows[0]?.digest ?? "" });
    const made = await run("backup", ["--to", to]);
    expect(made).toEqual({ code: 2, output: expect.stringContaining(rows[0]?.digest ?? "-") });
    const checked = await run("backup", ["--check", to]);
    expect(checked).toEqual({
      code: 0,
      output: expect.stringContaining("Lost in the store before the backup: 1 blob."),
    });
  },
);
