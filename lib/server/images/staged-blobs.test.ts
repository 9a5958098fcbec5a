/** What both places for blobs that are being sent guarantee. The pieces' run needs Debian's `docker-registry`. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { blobUploads, uploadPieces } from "@/drizzle/schema/images";
import { findRegistryFailure, type RegistryServer, startRegistry } from "@/tests/containers/registry-server";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { toDigest } from "./archive/test-archives";
import { type BlobUpload, openBlobUpload, touchBlobUploads } from "./blob-queries";
import { type BlobStore, registryStore } from "./blob-store";
import { selectPieces } from "./piece-queries";
import { StoreUnreachable } from "./registry-client";
import { stageInFiles, stageInPieces, type Staging } from "./staged-blobs";

const platform = await testPlatform();
const folder = await mkdtemp(path.join(tmpdir(), "staged-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function* inChunks(content: Buffer, failure?: Error): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 1000) yield content.subarray(at, at + 1000);
  if (failure !== undefined) throw failure;
}

async function givenUpload(staging: Staging, content: Buffer, bytes = content.length) {
  const { organization } = await givenMember(platform, `org-${randomBytes(4).toString("hex")}`);
  return begin(staging, organization.id, content, bytes);
}

async function begin(staging: Staging, organizationId: string, content: Buffer, bytes = content.length) {
  const { isKept, ...upload } = await openBlobUpload(platform.db, organizationId, {
    digest: toDigest(content),
    bytes,
  });
  await staging.begin(upload, isKept);
  return upload;
}

/** As another gateway sees it. */
async function readAgain({ organizationId, digest }: BlobUpload): Promise<BlobUpload> {
  const [upload] = await touchBlobUploads(platform.db, organizationId, [digest]);
  if (upload === undefined) throw new Error("the upload is gone");
  return upload;
}

const placeIn = async (staging: Staging, upload: BlobUpload) => {
  const own = await mkdtemp(path.join(platform.environment.dataDir, "bundles", "place-"));
  const file = await staging.place(await readAgain(upload), own);
  return file === undefined ? undefined : readFile(file);
};

function testConformance(open: () => Staging): void {
  test("what arrived before the content failed stays, and the rest continues it", async () => {
    const staging = open();
    const content = randomBytes(25_500);
    const upload = await givenUpload(staging, content);
    expect(await staging.measure(await readAgain(upload))).toBe(0);
    const cut = new Error("the connection broke");
    await expect(staging.write(upload, 0, inChunks(content.subarray(0, 13_500), cut))).rejects.toBe(cut);
    expect(await staging.measure(await readAgain(upload))).toBe(13_500);
    const again = await begin(staging, upload.organizationId, content);
    expect(await staging.write(again, 13_500, inChunks(content.subarray(13_500)))).toBe(25_500);
    expect((await placeIn(staging, upload))?.equals(content)).toBe(true);
  });

  test("another size starts over", async () => {
    const staging = open();
    const content = randomBytes(9_000);
    const upload = await givenUpload(staging, content);
    await staging.write(upload, 0, inChunks(content));
    const shorter = await begin(staging, upload.organizationId, content, 8_000);
    expect(await staging.measure(shorter)).toBe(0);
  });

  test("an empty blob is complete at once", async () => {
    const staging = open();
    const upload = await givenUpload(staging, Buffer.alloc(0));
    expect(await staging.measure(upload)).toBe(0);
    expect((await placeIn(staging, upload))?.length).toBe(0);
  });
}

describe("in files", () => {
  testConformance(() => stageInFiles(platform.environment));
});

const missing = await findRegistryFailure();
describe.skipIf(missing !== undefined)(
  `in pieces${missing === undefined ? "" : ` (skipped: ${missing})`}`,
  () => {
    let registry: RegistryServer;
    let store: BlobStore;
    beforeAll(async () => {
      registry = await startRegistry();
      store = registryStore({ origin: registry.origin, repository: "platform/apps", credentials: "" });
    });
    afterAll(() => registry.end());
    const open = (on = store) => stageInPieces(platform, on, 4_000);
    const hasBlob = (digest: string) => store.has({ kind: "blob", digest });
    testConformance(open);

    // Guarantee: two requests that send the same part through two gateways count once, and leave one copy.
    test("of two requests that send the same part, one is accepted, and the other leaves nothing", async () => {
      const content = randomBytes(4_000);
      const upload = await givenUpload(open(), content);
      const results = await Promise.allSettled([
        open().write(upload, 0, inChunks(content)),
        open().write(upload, 0, inChunks(content)),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const refused = results.find((result) => result.status === "rejected");
      expect(refused?.reason).toMatchObject({ code: "WRONG_STATE" });
      expect(await open().measure(await readAgain(upload))).toBe(4_000);
      expect(await platform.db.select().from(uploadPieces)).toHaveLength(1);
      expect((await placeIn(open(), upload))?.equals(content)).toBe(true);
      // The same part once more, after it was accepted.
      await expect(open().write(upload, 0, inChunks(content))).rejects.toMatchObject({ code: "WRONG_STATE" });
      expect(await platform.db.select().from(uploadPieces)).toHaveLength(1);
    });

    test("a store that fails in the middle keeps what was accepted, and the upload continues when it is back", async () => {
      const content = randomBytes(10_000);
      const upload = await givenUpload(open(), content);
      let isAway = false;
      const unsteady: BlobStore = {
        ...store,
        adopt: async (blob, file) => {
          if (isAway) throw new StoreUnreachable("away");
          await store.adopt(blob, file);
          isAway = true;
        },
      };
      await expect(open(unsteady).write(upload, 0, inChunks(content))).rejects.toBeInstanceOf(
        StoreUnreachable,
      );
      expect(await open().measure(await readAgain(upload))).toBe(4_000);
      expect(await open().write(upload, 4_000, inChunks(content.subarray(4_000)))).toBe(10_000);
      expect((await placeIn(open(), upload))?.equals(content)).toBe(true);
    });

    test.each([500, 503, 401])(
      "a registry that answers %i is unreachable, and nothing counts",
      async (status) => {
        const server = createServer((request, response) => {
          request.resume();
          response.writeHead(status).end();
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        onTestFinished(() => void server.close());
        const { port } = server.address() as AddressInfo;
        const broken = registryStore({
          origin: `http://127.0.0.1:${port}`,
          repository: "a",
          credentials: "",
        });
        const content = randomBytes(2_000);
        const upload = await givenUpload(open(), content);
        await expect(open(broken).write(upload, 0, inChunks(content))).rejects.toBeInstanceOf(
          StoreUnreachable,
        );
        expect(await open().measure(await readAgain(upload))).toBe(0);
      },
    );

    test("pieces that the store has lost are sent again", async () => {
      const content = randomBytes(9_000);
      const upload = await givenUpload(open(), content);
      await open().write(upload, 0, inChunks(content));
      const [, second] = await selectPieces(platform.db, upload.id);
      await store.remove({ kind: "blob", digest: second?.digest ?? "" });
      expect(await placeIn(open(), upload)).toBeUndefined();
      expect(await platform.db.select().from(blobUploads)).toEqual([]);
      expect(await platform.db.select().from(uploadPieces)).toEqual([]);
      const again = await begin(open(), upload.organizationId, content);
      expect(await open().write(again, 0, inChunks(content))).toBe(9_000);
      expect((await placeIn(open(), again))?.equals(content)).toBe(true);
    });

    // Guarantee: the store is left as clean as the database, whatever ended the upload.
    test("pieces go with their upload, and those of a killed gateway a day later", async () => {
      const staging = open();
      const content = randomBytes(9_000);
      const upload = await givenUpload(staging, content);
      await staging.write(upload, 0, inChunks(content.subarray(0, 6_000)));
      const pieces = await selectPieces(platform.db, upload.id);
      expect(pieces.map(({ position, bytes }) => [position, bytes])).toEqual([
        [0, 4_000],
        [4_000, 2_000],
      ]);
      // An upload that still exists keeps its pieces.
      const future = new Date(Date.now() + 60_000);
      await staging.clearOld(future);
      await staging.clear([upload]);
      expect(await selectPieces(platform.db, upload.id)).toHaveLength(2);
      // Written, and killed before it was accepted.
      const orphan = { digest: toDigest(Buffer.from("x")), uploadId: upload.id, position: 6_000, bytes: 1 };
      await platform.db.insert(uploadPieces).values(orphan);
      await store.write({ kind: "blob", digest: orphan.digest, bytes: 1 }, inChunks(Buffer.from("x")));
      await staging.clearOld(new Date(Date.now() - 60_000));
      expect(await hasBlob(orphan.digest)).toBe(true);
      await staging.clearOld(future);
      expect(await hasBlob(orphan.digest)).toBe(false);

      await platform.db.delete(blobUploads);
      await staging.clear([upload]);
      for (const { digest } of pieces) expect(await hasBlob(digest)).toBe(false);
      expect(await platform.db.select().from(uploadPieces)).toEqual([]);
    });
  },
);
