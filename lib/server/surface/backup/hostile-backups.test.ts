/** Backups that are cut, changed, of another platform or version, and places that are not empty: refused before anything is written. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import {
  backUp,
  copyBackup,
  givenEmptyPlatform,
  givenPublished,
  listBackup,
  restore,
  rewriteManifest,
  temporaryFolder,
} from "@/tests/backup-world";
import { testPlatform } from "@/tests/test-platform";
import { bundleFolder } from "../../images/incoming-folder";
import { openStore } from "../../images/blob-store";
import { migrateDatabase } from "../../platform/database/migrate";
import { newMasterKey, readKeyring } from "../../platform/keyring";
import type { Platform } from "../../platform/platform";
import { checkFiles, MANIFEST, readBackup, SEAL } from "./backup-format";

const platform = await testPlatform();

let backup = "";
beforeEach(async () => {
  await givenPublished(platform, "acme");
  backup = path.join(await temporaryFolder(), "backup");
  await backUp(platform, backup);
});

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "accepted",
    (error: unknown) =>
      error instanceof Error && "expected" in error ? error.message : `a bug: ${String(error)}`,
  );
const check = async (folder: string) => refusal(checkFiles(await readBackup(folder, platform.keyring)));
const checkAll = (folder: string) =>
  refusal(readBackup(folder, platform.keyring).then((read) => checkFiles(read)));

async function flipByte(file: string, at: number): Promise<void> {
  const handle = await open(file, "r+");
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  byte.writeUInt8(byte.readUInt8(0) ^ 1);
  await handle.write(byte, 0, 1, at);
  await handle.close();
}

/** Nothing that another restoration would stumble over. */
async function expectEmpty(target: Platform): Promise<void> {
  const { rows } = await target.pool.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  for (const { name } of rows)
    expect((await target.pool.query(`select from "${name}" limit 1`)).rowCount, name).toBe(0);
  const files = await readdir(bundleFolder(target.environment), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  expect(files.filter((entry) => entry.isFile())).toEqual([]);
}

/** One of each part: the manifest, its seal, blobs, tables with rows, and one without. */
async function chooseFiles(): Promise<string[]> {
  const names = await listBackup(backup);
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(backup, name))).size));
  const filled = names.filter((_name, index) => sizes[index] !== 0);
  const inFolder = (folder: string, from: string[]) => from.filter((name) => name.startsWith(`${folder}/`));
  const empty = inFolder("tables", names).filter((name) => !filled.includes(name));
  return [
    MANIFEST,
    SEAL,
    ...inFolder("blobs", filled).slice(0, 2),
    ...inFolder("tables", filled).slice(0, 3),
    ...empty.slice(0, 1),
  ];
}

// Guarantee: a backup that isn't whole is never taken for one, wherever it was cut or changed.
test("each file that is cut, changed, longer, or gone is named", async () => {
  expect(await check(backup)).toBe("accepted");
  for (const name of await chooseFiles()) {
    const file = path.join(backup, name);
    const original = await readFile(file);
    const expectRefused = async () => {
      expect(await checkAll(backup)).toContain(`The backup is damaged: ${name === SEAL ? "manifest" : name}`);
      await writeFile(file, original);
    };
    for (const length of new Set([0, original.length >> 1, original.length - 1]))
      if (length >= 0 && length < original.length) {
        await truncate(file, length);
        // The last line end of the seal means nothing.
        if (name !== SEAL || length < original.length - 1) await expectRefused();
        else await writeFile(file, original);
      }
    for (const at of new Set([0, original.length >> 1, original.length - 2]))
      if (at >= 0 && at < original.length) {
        await flipByte(file, at);
        await expectRefused();
      }
    await appendFile(file, "x");
    await expectRefused();
    await rm(file);
    await expectRefused();
  }
  expect(await check(backup)).toBe("accepted");
});

test("links, folders and pipes in place of files are not followed", async () => {
  const [name = ""] = (await listBackup(backup)).filter((each) => each.startsWith("blobs/"));
  const replacements: [string, (file: string, original: string) => Promise<void> | void][] = [
    ["it is a symbolic link", (file, original) => symlink(original, file)],
    ["it is not a file", (file) => mkdir(file).then(() => undefined)],
    ["it is not a file", (file) => void execFileSync("mkfifo", [file])],
  ];
  for (const [message, replace] of replacements) {
    const copy = await copyBackup(backup);
    const file = path.join(copy, name);
    await rename(file, `${file}.original`);
    await replace(file, `${file}.original`);
    expect(await checkAll(copy)).toBe(`The backup is damaged: ${name}: ${message}. Use another backup.`);
  }
  const copy = await copyBackup(backup);
  await rename(path.join(copy, "tables"), path.join(copy, "elsewhere"));
  await symlink("elsewhere", path.join(copy, "tables"));
  expect(await checkAll(copy)).toContain("tables: the folder is missing");
  expect(await checkAll(path.join(copy, "absent"))).toContain("is not a folder with a backup");
});

test("names that lead out of the backup, entries that are there twice, and other formats are refused", async () => {
  const changes: [string, (text: string) => string][] = [
    [
      "tables.0.name is not valid",
      (text) => text.replace('"name":"account_links"', '"name":"../../etc/passwd"'),
    ],
    [
      "digest is not valid",
      (text) => text.replace(/"digest":"sha256:[0-9a-f]{64}"/, '"digest":"sha256:../../../../etc/passwd"'),
    ],
    ["columns.0 is not valid", (text) => text.replace('"columns":["id"', '"columns":["id) to program"')],
    ["is there twice", (text) => text.replace('"name":"api_keys"', '"name":"account_links"')],
    ["has format 2, and this platform reads format 1", (text) => text.replace('"format":1', '"format":2')],
    ["it is not valid", () => "[]"],
    ["it is not valid", () => '{"format":'],
  ];
  for (const [message, change] of changes) {
    const copy = await copyBackup(backup);
    await rewriteManifest(copy, platform.keyring, change);
    const refused = await checkAll(copy);
    expect(refused.replace(/blobs\.\d\.|tables\.\d\.(?=columns)/, "")).toContain(message);
  }
});

// Guarantee: who can write to where backups are kept, but has no master key, can't add an account to one.
test("a backup that was changed and summed up again is refused", async () => {
  const stranger = readKeyring(newMasterKey("test"));
  await rewriteManifest(backup, stranger, (text) => text.replace(/"takenAt":"2/, '"takenAt":"3'));
  expect(await checkAll(backup)).toContain("it was not made with this platform's master keys");
});

test("missing, older and other master keys are named", async () => {
  const key = platform.environment.PLATFORM_MASTER_KEYS;
  const read = (keys: string) => refusal(readBackup(backup, readKeyring(keys)));
  expect(await read(newMasterKey("k2"))).toMatch(
    /needs the master key 'test', which is missing.*PLATFORM_MASTER_KEYS/s,
  );
  expect(await read(newMasterKey("test"))).toContain("it has the right id but a different value");
  expect(await read(`${newMasterKey("k2")},${key}`)).toBe("accepted");
  expect(await refusal(readBackup(backup, undefined))).toBe("accepted");
});

test("backups of newer and unknown schemas are refused before anything is written", async () => {
  const target = await givenEmptyPlatform(platform);
  const schema = (await readBackup(backup, platform.keyring)).manifest.schema;
  const newer = await copyBackup(backup);
  await rewriteManifest(newer, platform.keyring, (text) =>
    text.replace(`"at":${schema.at}`, `"at":${schema.at + 1}`).replace(schema.name, "9999_later"),
  );
  expect(await refusal(restore(target, newer))).toMatch(
    /of a newer version of the platform \(0\.1\.0, schema 9999_later\)/,
  );
  const other = await copyBackup(backup);
  await rewriteManifest(other, platform.keyring, (text) => text.replace(schema.hash, "0".repeat(64)));
  expect(await refusal(restore(target, other))).toContain("doesn't know in this form");
  await expectEmpty(target);
});

test("only an empty database and an empty store are filled", async () => {
  expect(await refusal(restore(platform, backup))).toMatch(
    /The database is not empty: there are rows in .* and \d+ more\. Restore into an empty one: create a database/,
  );
  const foreign = await givenEmptyPlatform(platform);
  await foreign.pool.query("create table others (id int)");
  expect(await refusal(restore(foreign, backup))).toContain(
    "tables that are not the platform's, such as others",
  );

  const used = await givenEmptyPlatform(platform);
  const folder = path.join(bundleFolder(used.environment), "blobs/sha256");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "left"), "x");
  expect(await refusal(restore(used, backup))).toMatch(/The image store is not empty: .* contains 1 file\./);
  await rm(path.join(folder, "left"));
  await restore(used, backup);

  const newer = await givenEmptyPlatform(platform);
  await migrateDatabase(newer.environment.DATABASE_URL, "drizzle/migrations");
  await newer.pool.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9999999999999)",
  );
  expect(await refusal(restore(newer, backup))).toContain("a newer schema than the backup");
});

// Guarantee: what goes wrong in the middle leaves nothing, and the next try succeeds.
test("a backup that breaks while it is restored leaves an empty database and store", async () => {
  const target = await givenEmptyPlatform(platform);
  const after = async (line: string, damage: (copy: string) => Promise<void>) => {
    const copy = await copyBackup(backup);
    return refusal(
      restore(target, copy, {
        report: async (said) => {
          if (String(said).startsWith(line)) await damage(copy);
        },
      }),
    );
  };
  const changed = await after("Images:", (copy) => flipByte(path.join(copy, "tables/users.copy"), 3));
  expect(changed).toMatch(/tables\/users\.copy: its content was changed|a bug/);
  await expectEmpty(target);
  const gone = await after("Checked:", async (copy) => {
    const names = (await listBackup(copy)).filter((name) => name.startsWith("blobs/"));
    await rm(path.join(copy, names.at(-1) ?? ""));
  });
  expect(gone).toContain("it is missing");
  await expectEmpty(target);
  const stopped = new AbortController();
  const aborted = restore(target, backup, {
    signal: stopped.signal,
    report: (line) => String(line).startsWith("Images:") && stopped.abort(new Error("stopped")),
  });
  await expect(aborted).rejects.toThrow("stopped");
  await expectEmpty(target);
  await restore(target, backup);
  const { rows } = await target.pool.query("select slug from organizations");
  expect(rows).toEqual([{ slug: "acme" }]);
});

test("a platform that started on the database meanwhile is not overwritten", async () => {
  const target = await givenEmptyPlatform(platform);
  const refused = await refusal(
    restore(target, backup, {
      report: async (line) => {
        if (!String(line).startsWith("Images:")) return;
        await target.pool.query("insert into search_terms (word) values ('started')");
      },
    }),
  );
  expect(refused).toContain("there are rows in search_terms");
  expect((await target.pool.query("select from organizations")).rowCount).toBe(0);
});

// Guarantee: a backup has its name only when it is complete.
test("a stopped backup leaves nothing, and one is never written over", async () => {
  const folder = await temporaryFolder();
  const to = path.join(folder, "next");
  const stopped = new AbortController();
  const report = (line: string) => line.startsWith("Database:") && stopped.abort(new Error("stopped"));
  await expect(backUp(platform, to, { signal: stopped.signal, report })).rejects.toThrow("stopped");
  expect(await readdir(folder)).toEqual([]);
  expect(await refusal(backUp(platform, backup))).toContain("exists already");
  expect(await refusal(backUp(platform, path.join(folder, "absent/next")))).toContain("can't be written");
});

test("a blob that the store has lost is named, and the rest is backed up and restored", async () => {
  const store = openStore(platform.environment);
  const { manifest } = await readBackup(backup, platform.keyring);
  const [gone, changed] = manifest.blobs.filter(({ kind }) => kind === "blob");
  if (gone === undefined || changed === undefined || gone.kind === "archive" || changed.kind === "archive")
    throw new Error("no blobs");
  await store.remove({ kind: gone.kind, digest: gone.digest });
  await writeFile(
    await store.place({ kind: changed.kind, digest: changed.digest }, ""),
    randomBytes(changed.bytes),
  );
  const to = path.join(await temporaryFolder(), "next");
  const { blobs, lost } = await backUp(platform, to);
  expect(lost.map(({ digest }) => digest).sort()).toEqual([gone.digest, changed.digest].sort());
  expect(blobs.length).toBe(manifest.blobs.length - 2);
  const target = await givenEmptyPlatform(platform);
  await restore(target, to);
  expect(await openStore(target.environment).has({ kind: gone.kind, digest: gone.digest })).toBe(false);
});

// Guarantee: a disk that fills up ends the backup with one message, and gets its space back.
test.runIf(process.getuid?.() === 0)(
  "a full disk ends a backup, and nothing is left on it",
  async (context) => {
    const disk = await temporaryFolder();
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { stdio: "ignore" });
    } catch {
      return context.skip();
    }
    onTestFinished(() => void execFileSync("umount", [disk]));
    expect(await refusal(backUp(platform, path.join(disk, "backup")))).toMatch(/^The disk of .* is full\./);
    expect(await readdir(disk)).toEqual([]);
  },
);

test("a database of another version is not backed up", async () => {
  const other = await givenEmptyPlatform(platform);
  const to = path.join(await temporaryFolder(), "next");
  expect(await refusal(backUp(other, to))).toContain("older than this version");
  await restore(other, backup);
  await other.pool.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9999999999999)",
  );
  expect(await refusal(backUp(other, to))).toContain("is of another version");
  expect(await refusal(stat(to))).toContain("ENOENT");
});

test("the manifest alone is not a backup", async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, MANIFEST), "{}");
  expect(await checkAll(folder)).toContain("the folder is missing");
});
