import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readStartTime } from "@/lib/server/platform/machine";
import { lockDataFolder } from "./lock";

let dataDir = "";
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "lock-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test("a second launch on the folder is refused with the first one's pid until that one ends", async () => {
  const release = await lockDataFolder(dataDir);
  await expect(lockDataFolder(dataDir)).rejects.toThrow(`process ${process.pid}`);
  await release();
  await (
    await lockDataFolder(dataDir)
  )();
  expect(await readdir(dataDir)).toEqual(["launcher.json.free"]);
});

test("the lock of a killed process is taken over", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(child, "spawn");
  const started = await readStartTime(child.pid ?? 0);
  await writeFile(path.join(dataDir, "launcher.json"), JSON.stringify({ pid: child.pid, started }));
  await expect(lockDataFolder(dataDir)).rejects.toThrow(`process ${child.pid}`);
  child.kill("SIGKILL");
  await once(child, "exit");
  await (
    await lockDataFolder(dataDir)
  )();
});

// Guarantee: a pid that now belongs to another program does not block a start.
test.skipIf(process.platform === "win32")("a reused pid does not hold the lock", async () => {
  await writeFile(
    path.join(dataDir, "launcher.json"),
    JSON.stringify({ pid: process.ppid, started: "another boot/1" }),
  );
  await (
    await lockDataFolder(dataDir)
  )();
});

test("of simultaneous launches, one gets the lock", async () => {
  await writeFile(path.join(dataDir, "launcher.json"), "torn{");
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => lockDataFolder(dataDir)));
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
  expect(await readdir(dataDir)).toEqual(["launcher.json"]);
});
