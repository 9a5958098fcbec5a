/**
 * Files of blobs that are being sent, `<data>/bundles/uploads/<organization>/<hex>`. A file's size is how much of the blob has
 * arrived. Nothing here is verified: publishing a staged blob copies and checks it.
 */
import { mkdir, open, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Environment } from "../platform/environment";
import { toHex } from "./blob-store";
import { bundleFolder } from "./incoming-folder";

export interface StagedBlob {
  organizationId: string;
  digest: string;
}

export function stagedPath(environment: Environment, { organizationId, digest }: StagedBlob): string {
  return path.join(bundleFolder(environment), "uploads", organizationId, toHex(digest));
}

/** The number of bytes received so far; undefined if the blob has no staged file. */
export async function readStagedBytes(
  environment: Environment,
  blob: StagedBlob,
): Promise<number | undefined> {
  return stat(stagedPath(environment, blob)).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    },
  );
}

/** Creates an empty file. @param isKept whether an existing file keeps its bytes */
export async function createStaged(
  environment: Environment,
  blob: StagedBlob,
  isKept: boolean,
): Promise<void> {
  const file = stagedPath(environment, blob);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await (await open(file, isKept ? "a" : "w", 0o600)).close();
}

/**
 * Writes the content from `offset` on, and returns where it ends. Two requests that write the same blob at once write the same
 * bytes to the same places.
 */
export async function writeStaged(
  environment: Environment,
  blob: StagedBlob,
  offset: number,
  content: AsyncIterable<Buffer>,
): Promise<number> {
  const handle = await open(stagedPath(environment, blob), "r+");
  let position = offset;
  try {
    for await (const chunk of content) {
      for (let at = 0; at < chunk.length;)
        at += (await handle.write(chunk, at, chunk.length - at, position + at)).bytesWritten;
      position += chunk.length;
    }
  } finally {
    await handle.close();
  }
  return position;
}

export async function removeStaged(environment: Environment, blob: StagedBlob): Promise<void> {
  await rm(stagedPath(environment, blob), { force: true });
}
