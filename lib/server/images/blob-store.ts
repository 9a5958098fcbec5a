/** Where images are stored: by content, so that a reader who knows the digest can check what it gets. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Environment } from "../platform/environment";
import { bundleFolder, createIncomingFolder, removeIncomingFolder } from "./incoming-folder";
import { readBody, refused, type RegistryAddress, registryClient } from "./registry-client";

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

/** The store that the operator chose. */
export function openStore(environment: Environment): BlobStore {
  const address = readRegistryAddress(environment);
  return address === undefined ? folderStore(environment) : registryStore(address);
}

/** Undefined if images are stored in the data folder. */
export function readRegistryAddress({
  PLATFORM_REGISTRY_URL,
  PLATFORM_REGISTRY_CREDENTIALS: credentials,
}: Environment): RegistryAddress | undefined {
  if (PLATFORM_REGISTRY_URL === "") return undefined;
  const { origin, pathname } = new URL(PLATFORM_REGISTRY_URL);
  return { origin, repository: toRepository(pathname), credentials };
}

/**
 * Where a cluster's nodes pull an image, by the digest of its manifest. Null for the folder, which no node can reach.
 * Images that were stored as one archive aren't in the registry: pulling them fails.
 */
export function findReference({ PLATFORM_REGISTRY_URL }: Environment, manifestDigest: string): string | null {
  if (PLATFORM_REGISTRY_URL === "") return null;
  const { host, pathname } = new URL(PLATFORM_REGISTRY_URL);
  return `${host}/${toRepository(pathname)}@${manifestDigest}`;
}

const toRepository = (pathname: string) => pathname.replaceAll(/^\/+|\/+$/g, "");

// Blobs as files, `<data>/bundles/blobs/sha256/<hex>`. Gateways and workers share the folder.

function folderStore(environment: Environment): BlobStore {
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

// Blobs in one repository of an OCI registry, from which the nodes of a cluster can pull.

const MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";

export function registryStore(address: RegistryAddress): BlobStore {
  const { send } = registryClient(address);
  const toTarget = ({ kind, digest }: BlobName) => `${kind}s/sha256:${toHex(digest)}`;
  const ACCEPT = { accept: MANIFEST_TYPE };

  async function has(blob: BlobName): Promise<boolean> {
    const { statusCode, body } = await send(toTarget(blob), { method: "HEAD", headers: ACCEPT });
    await body.dump();
    return isFound(statusCode);
  }

  async function fetch(blob: BlobName): Promise<AsyncIterable<Buffer>> {
    const { statusCode, body } = await send(toTarget(blob), { method: "GET", headers: ACCEPT });
    if (isFound(statusCode)) return readBody(body);
    await body.dump();
    throw new BlobMissing(blob);
  }

  async function write(blob: SizedBlob, content: AsyncIterable<Buffer>): Promise<void> {
    const target = blob.kind === "manifest" ? toTarget(blob) : await beginUpload(blob);
    const type = blob.kind === "manifest" ? MANIFEST_TYPE : "application/octet-stream";
    const headers = { "content-type": type, "content-length": String(blob.bytes) };
    const counted = Readable.from(verifyBlob(blob, requireSize(blob, content)), { objectMode: false });
    const { statusCode, body } = await send(target, { method: "PUT", headers, body: counted });
    await body.dump();
    if (statusCode !== 201) throw refused(`it answered an upload with status ${statusCode}`);
  }

  /** Returns the URL that takes the content. */
  async function beginUpload({ digest }: BlobName): Promise<string> {
    const { statusCode, headers, body } = await send("blobs/uploads/", { method: "POST" });
    await body.dump();
    const { location } = headers;
    if (statusCode !== 202 || typeof location !== "string")
      throw refused(`it answered the start of an upload with status ${statusCode}`);
    const url = new URL(location, address.origin);
    url.searchParams.set("digest", digest);
    return url.href;
  }

  return {
    name: "registry",
    has,
    write,
    adopt: (blob, file) => write(blob, createReadStream(file, { highWaterMark: 256 * 1024 })),
    read: async (blob) => verifyBlob(blob, await fetch(blob)),
    place: async (blob, folder) => {
      const file = path.join(folder, `placed-${toHex(blob.digest)}`);
      await pipeline(await fetch(blob), createWriteStream(file, { mode: 0o600 }));
      return file;
    },
    remove: async (blob) => {
      const { statusCode, body } = await send(toTarget(blob), { method: "DELETE" });
      await body.dump();
      // A registry that deletes nothing keeps it until its own clean-up.
      if (![200, 202, 404, 405].includes(statusCode))
        throw refused(`it answered a deletion with status ${statusCode}`);
    },
  };
}

function isFound(status: number): boolean {
  if (status === 200) return true;
  if (status === 404) return false;
  throw refused(`it answered with status ${status}`);
}

/** The client would report another length as its own error. */
async function* requireSize(blob: SizedBlob, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > blob.bytes) throw new BlobChanged(blob);
    yield chunk;
  }
  if (bytes !== blob.bytes) throw new BlobChanged(blob);
}
