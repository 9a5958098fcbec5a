/** What every store guarantees. The registry's run needs Debian's `docker-registry`. */
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRegistryFailure, type RegistryServer, startRegistry } from "@/tests/containers/registry-server";
import { type Environment, readEnvironment } from "../platform/environment";
import { newMasterKey } from "../platform/keyring";
import {
  BlobChanged,
  BlobMissing,
  type BlobStore,
  findReference,
  openStore,
  readWhole,
  type SizedBlob,
} from "./blob-store";
import { writeImageManifest } from "./archive/image";
import { bundleFolder, createIncomingFolder } from "./incoming-folder";

const folder = await mkdtemp(path.join(tmpdir(), "blobs-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const USER = { credentials: "platform:secret" };
/** Of "secret". */
const HASH = "$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";

function environmentWith(settings: Record<string, string> = {}): Environment {
  return readEnvironment({
    NODE_ENV: "test",
    DATABASE_URL: "postgres://unused",
    PLATFORM_MASTER_KEYS: newMasterKey("test"),
    PLATFORM_DATA_DIR: folder,
    ...settings,
  });
}

const toBlob = (content: Buffer): SizedBlob => ({
  kind: "blob",
  digest: `sha256:${createHash("sha256").update(content).digest("hex")}`,
  bytes: content.length,
});
const inChunks = (content: Buffer, size = 100_000) =>
  Readable.from(
    Array.from({ length: Math.ceil(content.length / size) }, (_, at) =>
      content.subarray(at * size, (at + 1) * size),
    ),
  );
const DOCUMENT = 1024 * 1024;

function changeLastByte(content: Buffer): Buffer {
  const changed = Buffer.from(content);
  changed.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1);
  return changed;
}

function testConformance(open: () => BlobStore): void {
  test("gives back what was written, streamed and as a file, and says what it has", async () => {
    const store = open();
    for (const content of [randomBytes(3_000_000), Buffer.alloc(0), Buffer.from("x")]) {
      const blob = toBlob(content);
      await store.write(blob, inChunks(content));
      expect(await store.has(blob)).toBe(true);
      expect((await readWhole(store, blob, 4_000_000)).equals(content)).toBe(true);
      expect((await readFile(await store.place(blob, folder))).equals(content)).toBe(true);
      // The same content again changes nothing.
      await store.write(blob, inChunks(content));
      expect(await store.has(blob)).toBe(true);
    }
  });

  test("stores a file of an incoming folder", async () => {
    const store = open();
    const content = randomBytes(500_000);
    const incoming = await createIncomingFolder(environmentWith());
    const file = path.join(incoming, "layer-0");
    await writeFile(file, content);
    await store.adopt(toBlob(content), file);
    expect((await readWhole(store, toBlob(content), DOCUMENT)).equals(content)).toBe(true);
    await rm(incoming, { recursive: true });
  });

  test("stores the manifest of an image by its digest, once its blobs are there", async () => {
    const store = open();
    const [config, layer] = [
      Buffer.from(`{"rootfs":"${randomBytes(8).toString("hex")}"}`),
      randomBytes(1000),
    ];
    for (const content of [config, layer]) await store.write(toBlob(content), inChunks(content));
    const { digest, bytes } = toBlob(layer);
    const content = writeImageManifest({
      config: toBlob(config),
      layers: [{ digest, bytes, compression: "plain", plainBytes: bytes }],
    });
    const manifest: SizedBlob = { ...toBlob(content), kind: "manifest" };
    expect(await store.has(manifest)).toBe(false);
    await store.write(manifest, inChunks(content));
    expect(await store.has(manifest)).toBe(true);
    expect((await readWhole(store, manifest, DOCUMENT)).equals(content)).toBe(true);
    await store.remove(manifest);
    expect(await store.has(manifest)).toBe(false);
  });

  test.each<[string, (content: Buffer) => Buffer]>([
    ["another byte", changeLastByte],
    ["too few bytes", (content) => content.subarray(0, -1)],
    ["too many bytes", (content) => Buffer.concat([content, Buffer.from("~")])],
  ])("refuses %s, and keeps nothing of it", async (_what, change) => {
    const store = open();
    const content = randomBytes(300_000);
    const blob = toBlob(content);
    await expect(store.write(blob, inChunks(change(content)))).rejects.toBeInstanceOf(BlobChanged);
    expect(await store.has(blob)).toBe(false);
    expect(await readdir(bundleFolder(environmentWith()))).not.toContainEqual(
      expect.stringMatching(/^incoming-/),
    );
  });

  test("a source that breaks off leaves nothing, and the blob can be written later", async () => {
    const store = open();
    const content = randomBytes(300_000);
    const blob = toBlob(content);
    async function* breaking(): AsyncGenerator<Buffer> {
      yield content.subarray(0, 100_000);
      throw new Error("broken off");
    }
    await expect(store.write(blob, breaking())).rejects.toThrow("broken off");
    expect(await store.has(blob)).toBe(false);
    await store.write(blob, inChunks(content));
    expect(await store.has(blob)).toBe(true);
  });

  test("says that a blob is missing, and removes one that is there or not", async () => {
    const store = open();
    const content = randomBytes(1000);
    const blob = toBlob(content);
    expect(await store.has(blob)).toBe(false);
    await expect(store.read(blob)).rejects.toBeInstanceOf(BlobMissing);
    await expect(store.place(blob, folder)).rejects.toBeInstanceOf(BlobMissing);
    await store.remove(blob);
    await store.write(blob, inChunks(content));
    await store.remove(blob);
    expect(await store.has(blob)).toBe(false);
  });

  test("eight writers of the same blob all succeed", async () => {
    const content = randomBytes(1_000_000);
    await Promise.all(Array.from({ length: 8 }, () => open().write(toBlob(content), inChunks(content))));
    expect((await readWhole(open(), toBlob(content), DOCUMENT)).equals(content)).toBe(true);
  });

  test("names that are no digests reach no path", async () => {
    for (const digest of ["sha256:../../../etc/passwd", `sha256:${"a".repeat(63)}/`, "latest"])
      await expect(async () => open().has({ kind: "blob", digest })).rejects.toThrow("not a digest");
  });
}

describe("folder", () => {
  testConformance(() => openStore(environmentWith()));

  // Guarantee (P7): a byte that changed on the disk is not delivered as if it were right.
  test("a changed byte fails the reader before the end", async () => {
    const store = openStore(environmentWith());
    const content = randomBytes(1_000_000);
    const blob = toBlob(content);
    await store.write(blob, inChunks(content));
    const file = await store.place(blob, folder);
    await writeFile(file, changeLastByte(content));
    let received = 0;
    await expect(async () => {
      for await (const chunk of await store.read(blob)) received += chunk.length;
    }).rejects.toBeInstanceOf(BlobChanged);
    expect(received).toBeLessThan(content.length);
  });
});

// Guarantee: what a cluster's nodes pull is named by the digest that was stored at publication, never by a tag.
test("an image's reference names the registry's repository and the manifest's digest", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  const registry = environmentWith({ PLATFORM_REGISTRY_URL: "https://registry.example:5000/platform/apps/" });
  expect(findReference(registry, digest)).toBe(`registry.example:5000/platform/apps@${digest}`);
  expect(findReference(environmentWith({}), digest)).toBeNull();
});

const failure = await findRegistryFailure();
describe.skipIf(failure !== undefined)(
  `registry${failure === undefined ? "" : ` (skipped: ${failure})`}`,
  () => {
    describe.each([
      ["without credentials", {}],
      ["with a user and a password", { ...USER, hash: HASH }],
      ["with tokens", { issuesTokens: true }],
    ])("%s", (_title, options) => {
      let server: RegistryServer;
      beforeAll(async () => {
        server = await startRegistry(options);
      });
      afterAll(() => server.end());
      const openAs = (credentials: string) =>
        openStore(
          environmentWith({
            PLATFORM_REGISTRY_URL: `${server.origin}/platform/apps`,
            PLATFORM_REGISTRY_CREDENTIALS: credentials,
          }),
        );
      testConformance(() => openAs(server.credentials));

      test.runIf("credentials" in options)("refuses wrong credentials with a reason", async () => {
        for (const credentials of ["", "platform:wrong"])
          await expect(openAs(credentials).has(toBlob(randomBytes(8)))).rejects.toMatchObject({
            code: "UNAVAILABLE",
            detail: expect.stringContaining("credentials"),
          });
      });
    });

    test("one that doesn't answer is described without its address", async () => {
      const store = openStore(environmentWith({ PLATFORM_REGISTRY_URL: "http://127.0.0.1:9/platform/apps" }));
      const refusal: unknown = await store.has(toBlob(randomBytes(8))).catch((error: unknown) => error);
      expect(refusal).toMatchObject({
        code: "UNAVAILABLE",
        detail: expect.stringContaining("can't be reached"),
      });
      expect(String(refusal)).not.toContain("127.0.0.1");
    });
  },
);
