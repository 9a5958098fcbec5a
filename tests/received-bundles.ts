import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import tar from "tar-stream";
import { afterAll, expect } from "vitest";
import { Problem } from "@/lib/contract/platform/problem";
import { openStore } from "@/lib/server/images/blob-store";
import { createIncomingFolder, removeIncomingFolder } from "@/lib/server/images/incoming-folder";
import { readBundle } from "@/lib/server/images/archive/read-bundle";
import { writeBlobs } from "@/lib/server/images/keep-blobs";
import { receiveUpload } from "@/lib/server/images/receive-upload";
import {
  createTar,
  dockerArchive,
  type ImageParts,
  type Item,
} from "@/lib/server/images/archive/test-archives";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";

const MANIFEST = "platform-app.json";

export const image = async (...layers: Item[][]): Promise<ImageParts> => ({
  layers: await Promise.all(layers.map(createTar)),
});
/** The manifest, as an entry of a layer. */
export const text = (content: string): Item => ({ name: MANIFEST, content });
export const link = (name: string, linkname: string): Item => ({ name, type: "symlink", linkname });
export const docker = async (...layers: Item[][]) => dockerArchive(await image(...layers));

/** The files of a tar archive. */
export async function readEntries(archive: Buffer): Promise<{ name: string; content: Buffer }[]> {
  const extract = tar.extract();
  extract.end(archive);
  const items: { name: string; content: Buffer }[] = [];
  for await (const entry of extract)
    items.push({ name: entry.header.name, content: await buffer(Readable.from(entry)) });
  return items;
}

/** Receives and reads archives as the platform does, in a folder that ends with the test file. */
export async function testBundles() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "bundles-"));
  afterAll(() => rm(dataDir, { recursive: true, force: true }));
  const environment = readEnvironment({
    NODE_ENV: "test",
    DATABASE_URL: "postgres://unused",
    PLATFORM_MASTER_KEYS: newMasterKey("test"),
    PLATFORM_DATA_DIR: dataDir,
  });

  /** The manifest's text, and the digests of the image and of its stored manifest. */
  async function receive(archive: Buffer | Readable, isKept = false) {
    const stream = Buffer.isBuffer(archive) ? Readable.from([archive]) : archive;
    const folder = await createIncomingFolder(environment);
    try {
      await receiveUpload(stream, folder, new AbortController().signal);
      const bundle = await readBundle(folder);
      const { archiveDigest, blobs } = await writeBlobs(bundle, folder);
      if (isKept) for (const { file = "", ...blob } of blobs) await openStore(environment).adopt(blob, file);
      return { manifestText: bundle.manifestText, imageDigest: bundle.image.digest, archiveDigest };
    } finally {
      await removeIncomingFolder(folder);
    }
  }

  /** The code with which an archive is refused. Nothing of it may be left. */
  async function readIssueCode(archive: Buffer | Readable): Promise<string> {
    const refusal: unknown = await receive(archive).catch((error: unknown) => error);
    if (!(refusal instanceof Problem))
      throw new Error(`not refused: ${JSON.stringify(refusal)} ${String(refusal)}`);
    const left = (await readdir(path.join(dataDir, "bundles"))).filter((name) => name !== "blobs");
    expect(left, "files were left behind").toEqual([]);
    return refusal.issues[0]?.code ?? refusal.code;
  }

  return { environment, receive, readIssueCode };
}
