/** Blobs as files, `<data>/bundles/blobs/sha256/<hex>`. Gateways and workers share the folder. */
import { createReadStream } from "node:fs";
import { access, mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Environment } from "../platform/environment";
import { BlobMissing, toHex, verifyBlob, type BlobName, type BlobStore, type SizedBlob } from "./blob-store";
import { bundleFolder, createIncomingFolder, removeIncomingFolder } from "./incoming";

export function folderStore(environment: Environment): BlobStore {
  const folder = path.join(bundleFolder(environment), "blobs", "sha256");
  const toPath = ({ digest }: BlobName) => path.join(folder, toHex(digest));

  async function requireFile(blob: BlobName): Promise<string> {
    const file = toPath(blob);
    const isThere = await access(file).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return false;
        throw error;
      },
    );
    if (!isThere) throw new BlobMissing(blob);
    return file;
  }

  async function adopt(blob: SizedBlob, file: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await sync(file);
    await rename(file, toPath(blob));
    await sync(folder);
  }

  return {
    name: "folder",
    has: (blob) =>
      requireFile(blob).then(
        () => true,
        (error: unknown) => {
          if (error instanceof BlobMissing) return false;
          throw error;
        },
      ),
    adopt,
    write: async (blob, content) => {
      const incoming = await createIncomingFolder(environment);
      try {
        const file = path.join(incoming, "blob");
        await writeFile(file, verifyBlob(blob, content));
        await adopt(blob, file);
      } finally {
        await removeIncomingFolder(incoming);
      }
    },
    read: async (blob) =>
      verifyBlob(blob, createReadStream(await requireFile(blob), { highWaterMark: 256 * 1024 })),
    place: requireFile,
    remove: (blob) => rm(toPath(blob), { force: true }),
  };
}

async function writeFile(file: string, content: AsyncIterable<Buffer>): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    for await (const chunk of content) await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
}

/** What is renamed must be on the disk before its name is. */
async function sync(file: string): Promise<void> {
  const handle = await open(file, "r");
  await handle.sync().finally(() => handle.close());
}
