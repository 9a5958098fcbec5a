import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readEnvironment } from "../platform/environment";
import { newMasterKey } from "../platform/keyring";
import { createIncomingFolder, removeLeftovers } from "./incoming-folder";

const environment = readEnvironment({
  NODE_ENV: "test",
  DATABASE_URL: "postgres://unused",
  PLATFORM_MASTER_KEYS: newMasterKey("test"),
  PLATFORM_DATA_DIR: await mkdtemp(path.join(tmpdir(), "store-")),
});
const store = path.join(environment.dataDir, "bundles");
afterAll(() => rm(environment.dataDir, { recursive: true, force: true }));

// Guarantee: after kill -9, the next start removes what the killed process was receiving, and nothing else.
test("a start removes the uploads of killed processes", async () => {
  const own = path.basename(await createIncomingFolder(environment));
  const [, machine, , startTime] = own.split("-");
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  const given = async (name: string, ageMs = 0) => {
    const folder = path.join(store, name);
    await mkdir(folder);
    await writeFile(path.join(folder, "uploaded"), "half");
    const at = new Date(Date.now() - ageMs);
    await utimes(folder, at, at);
    return name;
  };
  await given(`incoming-${machine}-${ended}-${startTime}-ended1`);
  await given(`incoming-${machine}-${process.pid}-000000000000-reused`);
  await given("incoming-0123456789ab-1-0123456789ab-foreign", 2 * 3_600_000);
  await given("incoming-Xa1b2c", 2 * 3_600_000);
  const busy = await given("incoming-0123456789ab-1-0123456789ab-busy00");
  await writeFile(path.join(store, `${"a".repeat(64)}.tar`), "an archive");
  await removeLeftovers(environment);
  expect((await readdir(store)).sort()).toEqual([`${"a".repeat(64)}.tar`, busy, own].sort());
});
