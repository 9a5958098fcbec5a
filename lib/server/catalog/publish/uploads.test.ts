import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type * as workerThreads from "node:worker_threads";
import { Readable } from "node:stream";
import { afterAll, expect, test, vi } from "vitest";
import { SMALL_BLOCKS } from "@/tests/hostile-images/costly-uploads";
import { SAMPLE_MANIFEST } from "@/tests/test-platform";
import { virtualClock } from "@/tests/virtual-clock";
import { uploadPath } from "../../images/archive/index-archive";
import { receiveUpload } from "../../images/receive-upload";
import { createTar, dockerArchive } from "../../images/archive/test-archives";
import { readEnvironment } from "../../platform/environment";
import { newMasterKey } from "../../platform/keyring";
import type { Clock } from "../../platform/requests/share";
import { abortUploads, beginUpload, inspectUpload } from "./uploads";

const started = vi.hoisted(() => ({ threads: 0 }));
vi.mock("node:worker_threads", async (importOriginal) => {
  const original = await importOriginal<typeof workerThreads>();
  class CountedWorker extends original.Worker {
    constructor(...options: ConstructorParameters<typeof original.Worker>) {
      super(...options);
      started.threads += 1;
    }
  }
  return { ...original, Worker: CountedWorker };
});

const environment = readEnvironment({
  NODE_ENV: "test",
  DATABASE_URL: "postgres://unused",
  PLATFORM_MASTER_KEYS: newMasterKey("test"),
  PLATFORM_DATA_DIR: await mkdtemp(path.join(tmpdir(), "uploads-")),
});
afterAll(() => rm(environment.dataDir, { recursive: true, force: true }));

const EXPECTED = { name: SAMPLE_MANIFEST.name, declaredVersion: undefined };

async function inspect(
  archive: Buffer,
  organizationId: string,
  { sender, clock, isNewcomer }: { sender?: AbortSignal; clock?: Clock; isNewcomer?: boolean } = {},
) {
  const upload = await beginUpload(environment, { organizationId, isNewcomer }, sender);
  try {
    const bytes = await receiveUpload(Readable.from([archive]), upload.folder, upload.signal);
    return await inspectUpload(upload, bytes, EXPECTED, clock);
  } finally {
    await upload.end();
  }
}

const honest = async () =>
  dockerArchive({
    layers: [await createTar([{ name: "platform-app.json", content: JSON.stringify(SAMPLE_MANIFEST) }])],
  });
const leftBehind = () => readdir(path.join(environment.dataDir, "bundles"));

// Guarantee (P6): an archive that takes too long to unpack is refused within 10 s, and others don't wait for it.
test("an archive that takes all its time is ended without blocking anything else", async () => {
  const archive = await SMALL_BLOCKS.archive();
  const { clock, advance, countTimers } = virtualClock();
  const refused = inspect(archive, "hostile", { clock }).catch((error: unknown) => error);
  await expect.poll(countTimers).toBe(1);
  // The expensive one can't end before its clock moves, so this one didn't wait for it.
  expect(await inspect(await honest(), "honest")).toMatchObject({ manifest: { version: "1.4.0" } });
  advance(9_000);
  expect(await refused).toMatchObject({
    code: "BAD_BUNDLE",
    issues: [{ code: "TOO_EXPENSIVE", message: expect.stringContaining("9 seconds") }],
  });
  expect(await leftBehind()).toEqual([]);
});

// Guarantee: however many organizations somebody signs up, those of which something was verified don't wait for them.
test("four new organizations with archives that take all their time leave a place to a known one, and one place to each other", async () => {
  const archive = await SMALL_BLOCKS.archive();
  const { clock, advance, countTimers } = virtualClock();
  let ended = 0;
  const refused = ["new-1", "new-2", "new-3", "new-4"].map((name) =>
    inspect(archive, name, { clock, isNewcomer: true }).catch((error: unknown) => {
      ended += 1;
      return error;
    }),
  );
  for (let turn = 1; turn <= refused.length; turn += 1) {
    // One of them is checked. Which one is next depends on which was received first.
    await expect.poll(countTimers).toBe(1);
    expect(await inspect(await honest(), "known")).toMatchObject({ manifest: { version: "1.4.0" } });
    expect(countTimers()).toBe(1);
    advance(9_000);
    await expect.poll(() => ended).toBe(turn);
  }
  for (const each of await Promise.all(refused))
    expect(each).toMatchObject({ issues: [{ code: "TOO_EXPENSIVE" }] });
});

// Loading a thread's code takes as much of the processor as an expensive archive.
test("uploads of newcomers that wait for each other start no threads, and honest ones share one", async () => {
  const sender = new AbortController();
  const { clock, countTimers } = virtualClock();
  const stuck = inspect(await SMALL_BLOCKS.archive(), "new-1", {
    sender: sender.signal,
    clock,
    isNewcomer: true,
  }).catch((error: unknown) => error);
  await expect.poll(countTimers).toBe(1);
  const before = started.threads;
  const waiting = await Promise.all(
    ["new-2", "new-3", "new-4"].map(async (organizationId) => {
      const upload = await beginUpload(environment, { organizationId, isNewcomer: true });
      return {
        upload,
        bytes: await receiveUpload(Readable.from([await honest()]), upload.folder, upload.signal),
      };
    }),
  );
  expect(started.threads).toBe(before);
  sender.abort();
  expect(await stuck).toMatchObject({ name: "AbortError" });
  const inspected = await Promise.all(
    waiting.map(({ upload, bytes }) => inspectUpload(upload, bytes, EXPECTED).finally(upload.end)),
  );
  expect(inspected).toHaveLength(3);
  expect(started.threads).toBe(before + 1);
});

test("checking stops when the sender disconnects", async () => {
  const sender = new AbortController();
  const { clock, countTimers } = virtualClock();
  const refused = inspect(await SMALL_BLOCKS.archive(), "hostile", { sender: sender.signal, clock }).catch(
    (error: unknown) => error,
  );
  await expect.poll(countTimers).toBe(1);
  sender.abort();
  expect(await refused).toMatchObject({ name: "AbortError" });
  expect(await leftBehind()).toEqual([]);
});

test("a document that needs more memory than the thread has is refused", async () => {
  const content = `{"manifests":[${"[],".repeat(340_000)}[]]}`;
  const archive = await createTar([{ name: "index.json", content }]);
  const refused = await inspect(archive, "hostile").catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: "BAD_BUNDLE",
    issues: [{ code: expect.stringMatching(/TOO_EXPENSIVE|NOT_AN_IMAGE/) }],
  });
});

// Guarantee: when the platform stops, an upload that never ends is refused and leaves nothing.
test("a stuck upload is aborted", async () => {
  const upload = await beginUpload(environment, { organizationId: "stuck" });
  const stuck = new Readable({ read: () => {} });
  stuck.push("begun");
  const refused = receiveUpload(stuck, upload.folder, upload.signal)
    .catch((error: unknown) => error)
    .finally(upload.end);
  await abortUploads();
  expect(await refused).toMatchObject({ code: "UNAVAILABLE" });
  expect(await leftBehind()).toEqual([]);
});

// Guarantee: an upload of a byte a second doesn't keep its place for hours, and its sender learns why it ended.
test("an upload that is too slow is refused", async () => {
  const { clock, advance } = virtualClock();
  const upload = await beginUpload(environment, { organizationId: "slow" });
  const trickle = new Readable({ read: () => {} });
  const refused = receiveUpload(trickle, upload.folder, upload.signal, clock)
    .catch((error: unknown) => error)
    .finally(upload.end);
  const written = async () => (await stat(uploadPath(upload.folder))).size;
  trickle.push(Buffer.alloc(40 * 1024));
  await expect.poll(written).toBe(40 * 1024);
  advance(30_000);
  // It was fast enough so far.
  trickle.push("x");
  await expect.poll(written).toBe(40 * 1024 + 1);
  advance(30_000);
  expect(await refused).toMatchObject({ code: "TOO_SLOW", status: 408 });
  expect(await leftBehind()).toEqual([]);
});
