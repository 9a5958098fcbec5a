import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { HOSTILE_UPLOADS } from "@/tests/hostile-uploads";
import { one, SAMPLE_MANIFEST } from "@/tests/test-platform";
import { receiveUpload } from "../bundles/receive-upload";
import { createTar, dockerArchive } from "../bundles/test-archives";
import { readEnvironment } from "../platform/environment";
import { newMasterKey } from "../platform/keyring";
import { inspectUpload } from "./inspect-upload";
import { abortUploads, beginUpload } from "./uploads";

const environment = readEnvironment({
  NODE_ENV: "test",
  DATABASE_URL: "postgres://unused",
  PLATFORM_MASTER_KEYS: newMasterKey("test"),
  PLATFORM_DATA_DIR: await mkdtemp(path.join(tmpdir(), "uploads-")),
});
afterAll(() => rm(environment.dataDir, { recursive: true, force: true }));

const EXPECTED = { name: SAMPLE_MANIFEST.name, declaredVersion: undefined };
const ENDLESS = one(HOSTILE_UPLOADS.filter(({ name }) => name === "zstd_sequences"));

async function inspect(archive: Buffer, organizationId: string, sender?: AbortSignal) {
  const upload = await beginUpload(environment, organizationId, sender);
  try {
    const bytes = await receiveUpload(Readable.from([archive]), upload.folder, upload.signal);
    return await inspectUpload(upload, bytes, EXPECTED);
  } finally {
    await upload.end();
  }
}

const honest = async () =>
  dockerArchive({
    layers: [await createTar([{ name: "platform-app.json", content: JSON.stringify(SAMPLE_MANIFEST) }])],
  });
const leftBehind = () => readdir(path.join(environment.dataDir, "bundles"));

/** The longest time, in milliseconds, that nothing else could run. */
function watchLoop(): () => number {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  return () => (clearInterval(timer), longest);
}

// Guarantee (P6): an archive whose decompression doesn't end is refused within 10 s, and others don't wait for it.
test("an endless archive is ended without blocking anything else", async () => {
  const archive = await ENDLESS.archive();
  expect(archive.length).toBeLessThan(10_000);
  await inspect(await honest(), "honest"); // Loads the code.
  const stopWatching = watchLoop();
  const start = Date.now();
  const refused = inspect(archive, "hostile").catch((error: unknown) => error);
  expect(await inspect(await honest(), "honest")).toMatchObject({ manifest: { version: "1.4.0" } });
  expect(Date.now() - start).toBeLessThan(5_500);
  expect(await refused).toMatchObject({ code: "BAD_BUNDLE", issues: [{ code: "TOO_EXPENSIVE" }] });
  expect(Date.now() - start).toBeLessThan(10_000);
  expect(stopWatching()).toBeLessThan(1_000);
  expect(await leftBehind()).toEqual([]);
});

test("checking stops when the sender disconnects", async () => {
  const sender = new AbortController();
  const refused = inspect(await ENDLESS.archive(), "hostile", sender.signal).catch((error: unknown) => error);
  setTimeout(() => sender.abort(), 1_500);
  const start = Date.now();
  expect(await refused).toMatchObject({ name: "AbortError" });
  expect(Date.now() - start).toBeLessThan(4_000);
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
  const upload = await beginUpload(environment, "stuck");
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
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const upload = await beginUpload(environment, "slow");
  const trickle = new Readable({ read: () => {} });
  let isSettled = false;
  const refused = receiveUpload(trickle, upload.folder, upload.signal)
    .catch((error: unknown) => error)
    .finally(() => {
      isSettled = true;
      return upload.end();
    });
  while (!isSettled && vi.getTimerCount() === 0) await new Promise(setImmediate);
  trickle.push(Buffer.alloc(40 * 1024));
  await new Promise(setImmediate);
  vi.advanceTimersByTime(30_000);
  trickle.push("x");
  // A window counts only while the disk waits for the sender.
  while (!isSettled) {
    await new Promise(setImmediate);
    vi.advanceTimersByTime(30_000);
  }
  expect(await refused).toMatchObject({ code: "TOO_SLOW", status: 408 });
  expect(await leftBehind()).toEqual([]);
});
