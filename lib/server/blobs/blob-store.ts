/** Where images are stored: by content, so that whoever knows a digest can check what it gets. */
import { createHash } from "node:crypto";

/** OCI registries tell manifests from all other blobs. */
export interface BlobName {
  kind: "blob" | "manifest";
  /** `sha256:<64 hex digits>` */
  digest: string;
}

export interface SizedBlob extends BlobName {
  bytes: number;
}

/** Every implementation passes the conformance suite in `blob-store.test.ts`. */
export interface BlobStore {
  name: "folder" | "registry";
  has(blob: BlobName): Promise<boolean>;
  /** Stores the content whole or not at all. Throws `BlobChanged` if it is not the blob's. */
  write(blob: SizedBlob, content: AsyncIterable<Buffer>): Promise<void>;
  /** Like `write`, for a file in an incoming folder whose digest the caller has just computed. Afterwards, the file may be gone. */
  adopt(blob: SizedBlob, file: string): Promise<void>;
  /** Rejects with `BlobMissing`. The stream throws `BlobChanged` before its last bytes if they are not the blob's. */
  read(blob: BlobName): Promise<AsyncIterable<Buffer>>;
  /** A file with the blob's bytes, which the caller verifies: the store's own, or a copy in `folder`. Rejects with `BlobMissing`. */
  place(blob: BlobName, folder: string): Promise<string>;
  /** Does nothing if it is not there. */
  remove(blob: BlobName): Promise<void>;
}

export class BlobMissing extends Error {
  constructor({ digest }: BlobName) {
    super(`${digest} is not in the store`);
  }
}

export class BlobChanged extends Error {
  constructor({ digest }: BlobName) {
    super(`the stored content is not ${digest}`);
  }
}

const DIGEST = /^sha256:([0-9a-f]{64})$/;

/** The digest's 64 hex digits, safe in a path. */
export function toHex(digest: string): string {
  const hex = DIGEST.exec(digest)?.[1];
  if (hex === undefined) throw new Error("not a digest");
  return hex;
}

/** The same bytes. Throws `BlobChanged` instead of the last ones if they are not the blob's. */
export async function* verifyBlob(blob: BlobName, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let kept: Buffer | undefined;
  for await (const chunk of content) {
    hash.update(chunk);
    if (kept !== undefined) yield kept;
    kept = chunk;
  }
  if (`sha256:${hash.digest("hex")}` !== blob.digest) throw new BlobChanged(blob);
  if (kept !== undefined) yield kept;
}

/** For documents. @param limit in bytes; a longer one is not what the platform stored */
export async function readWhole(store: BlobStore, blob: BlobName, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await store.read(blob)) {
    bytes += chunk.length;
    if (bytes > limit) throw new BlobChanged(blob);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
