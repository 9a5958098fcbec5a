/** Blobs in one repository of an OCI registry, from which the nodes of a cluster can pull. */
import { createReadStream, createWriteStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  BlobChanged,
  BlobMissing,
  toHex,
  verifyBlob,
  type BlobName,
  type BlobStore,
  type SizedBlob,
} from "./blob-store";
import { readBody, refused, registryClient, type RegistryAddress } from "./registry-client";

export const MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";

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
