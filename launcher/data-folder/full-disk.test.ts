import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataFolder } from "./lock";
import { explainUnwritable, readSecrets, writeSecrets } from "./secrets";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "full-disk-"));
});
afterEach(async () => {
  if (isMounted) execFileSync("umount", [folder]);
  isMounted = false;
  await rm(folder, { recursive: true });
});

let isMounted = false;

/** A tiny disk of its own. False if this user may not mount one. */
function mountTiny(): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    isMounted = true;
  } catch {
    isMounted = false;
  }
  return isMounted;
}

async function fill(): Promise<void> {
  for (let size = 4096, at = 0; size >= 1; at += 1)
    await writeFile(path.join(folder, `fill-${at}`), Buffer.alloc(size)).catch(() => (size /= 2));
}

const caught = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

// Guarantee: a disk that filled up while the platform ran loses no secret, and the message says what to do.
test.runIf(process.getuid?.() === 0)(
  "on a full disk, secrets stay as they are, and the message names the disk",
  async (context) => {
    if (!mountTiny()) return context.skip();
    const secrets = await readSecrets(folder);
    const file = path.join(folder, "secrets.json");
    const before = await readFile(file, "utf8");
    await fill();
    await writeSecrets(folder, secrets);
    const error = await caught(writeSecrets(folder, { ...secrets, ports: { state: 4001 }, demo: "done" }));
    expect(explainUnwritable(error, folder)).toMatchObject({
      expected: true,
      message: expect.stringMatching(/can't be written: the disk is full\. Free some space/),
    });
    expect(await readFile(file, "utf8")).toBe(before);
    // A folder that no launch has used yet.
    const locked = await caught(lockDataFolder(folder));
    expect(explainUnwritable(locked, folder)).toMatchObject({ expected: true });
    expect(await listLeft()).toEqual(["secrets.json"]);
  },
);

const listLeft = async () => (await readdir(folder)).filter((name) => !name.startsWith("fill-")).sort();

// Guarantee: what ran when the disk filled up can be started on it, because that writes nothing new.
test.runIf(process.getuid?.() === 0).for([
  ["was stopped", undefined],
  ["was killed", '{"pid":999999999,"started":"another boot/1"}'],
])("a launch that %s on a full disk starts again on it", async ([, killed], context) => {
  if (!mountTiny()) return context.skip();
  const secrets = await readSecrets(folder);
  const release = await lockDataFolder(folder);
  await fill();
  await release();
  if (killed !== undefined) {
    await rename(path.join(folder, "launcher.json.free"), path.join(folder, "launcher.json"));
    await writeFile(path.join(folder, "launcher.json"), killed.padEnd(200), { flag: "r+" });
  }
  for (let time = 0; time < 3; time += 1) {
    const releaseAgain = await lockDataFolder(folder);
    await expect(lockDataFolder(folder)).rejects.toThrow(`process ${process.pid}`);
    expect(await readSecrets(folder)).toEqual(secrets);
    await writeSecrets(folder, secrets);
    await releaseAgain();
  }
  expect(await listLeft()).toEqual(["launcher.json.free", "secrets.json"]);
});

test.each([
  ["/proc/nope", "/proc/nope can't be created"],
  ["/proc/nope/below", "/proc/nope can't be created"],
  [import.meta.filename, `${import.meta.filename} can't be a folder`],
  [`${import.meta.filename}/below`, `${import.meta.filename}/below can't be a folder`],
])("a path that can't be a folder is refused: %s", async (dataDir, message) => {
  expect(await caught(lockDataFolder(dataDir))).toMatchObject({
    expected: true,
    message: expect.stringMatching(`^${message}: .*Choose another folder with PLATFORM_DATA_DIR\\.$`),
  });
});

test("a data folder may be several folders deep", async () => {
  const deep = path.join(folder, "several", "folders", "deep");
  await (
    await lockDataFolder(deep)
  )();
  expect(await readdir(deep)).toEqual(["launcher.json.free"]);
});

test("a start that changes nothing writes nothing", async () => {
  const secrets = await readSecrets(folder);
  const { ino, mtimeMs } = await stat(path.join(folder, "secrets.json"));
  await writeSecrets(folder, await readSecrets(folder));
  expect(await stat(path.join(folder, "secrets.json"))).toMatchObject({ ino, mtimeMs });
  await writeSecrets(folder, { ...secrets, ports: { state: 4001 } });
  expect((await readSecrets(folder)).ports).toEqual({ state: 4001 });
});

test("errors that are not about writing remain as they are", () => {
  const error = Object.assign(new Error("no"), { code: "ECONNREFUSED", syscall: "connect" });
  expect(explainUnwritable(error, folder)).toBe(error);
  expect(explainUnwritable("text", folder)).toBe("text");
});
