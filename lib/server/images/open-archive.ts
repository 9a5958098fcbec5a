/**
 * The archive that an engine loads, put together from the store. Every byte is verified against the manifest whose digest was
 * stored at publication, and an engine that is sent anything else never gets the whole of it.
 */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import tar from "tar-stream";
import { Problem } from "@/lib/contract/platform/problem";
import type { Environment } from "../platform/environment";
import { BUNDLE_LIMITS } from "./archive/bad-bundle";
import {
  BlobChanged,
  BlobMissing,
  type BlobName,
  type BlobStore,
  openStore,
  readWhole,
  toHex,
  verifyBlob,
} from "./blob-store";
import { decompress } from "./archive/decompress";
import { type ManifestLayer, readImageManifest } from "./archive/image";
import { bundleFolder } from "./incoming-folder";
import { StoreUnreachable } from "./registry-client";

/**
 * Rejects with a Problem if it can't be opened; the stream fails with one if it is damaged.
 * @param archiveDigest of the image's manifest, or of an archive that was stored as one file
 */
export async function openArchive(environment: Environment, archiveDigest: string): Promise<Readable> {
  const store = openStore(environment);
  const manifest: BlobName = { kind: "manifest", digest: archiveDigest };
  try {
    if (!(await store.has(manifest)))
      return await openFile(oldArchivePath(environment, archiveDigest), archiveDigest);
    const { config, layers } = readImageManifest(
      await readWhole(store, manifest, BUNDLE_LIMITS.documentBytes),
    );
    const bytes = await readWhole(
      store,
      { kind: "blob", digest: config.digest },
      BUNDLE_LIMITS.documentBytes,
    );
    const pack = tar.pack();
    fill(pack, store, { digest: config.digest, bytes }, layers).catch((error: unknown) =>
      pack.destroy(toProblem(error)),
    );
    return Readable.from(pack, { objectMode: false });
  } catch (error) {
    throw toProblem(error);
  }
}

/** Versions from before images were stored as blobs have an archive: `<bundles>/<hex>.tar`. */
export function oldArchivePath(environment: Environment, archiveDigest: string): string {
  return path.join(bundleFolder(environment), `${toHex(archiveDigest)}.tar`);
}

/** An archive that is one file. It fails before its last bytes if it has another digest. */
export async function openFile(file: string, archiveDigest: string): Promise<Readable> {
  const blob: BlobName = { kind: "blob", digest: archiveDigest };
  return Readable.from(
    explainErrors(verifyBlob(blob, createReadStream(file, { highWaterMark: 256 * 1024 }))),
    {
      objectMode: false,
    },
  );
}

async function fill(
  pack: tar.Pack,
  store: BlobStore,
  config: { digest: string; bytes: Buffer },
  layers: readonly ManifestLayer[],
): Promise<void> {
  const configName = `${toHex(config.digest)}.json`;
  await addDocument(pack, configName, config.bytes);
  const names = new Map<string, string>();
  for (const layer of layers) {
    if (names.has(layer.digest)) continue;
    const name = `layer-${String(names.size).padStart(3, "0")}.tar`;
    names.set(layer.digest, name);
    await addLayer(pack, name, store, layer);
  }
  // Last: an engine that reads the archive as it comes knows of no image until everything before it was verified.
  const Layers = layers.map(({ digest }) => names.get(digest));
  const document = JSON.stringify([{ Config: configName, RepoTags: null, Layers }]);
  await addDocument(pack, "manifest.json", Buffer.from(document));
  pack.finalize();
}

/** As stored, except zstd, which Docker before 23 can't load. */
async function addLayer(
  pack: tar.Pack,
  name: string,
  store: BlobStore,
  { digest, bytes, compression, plainBytes }: ManifestLayer,
): Promise<void> {
  const blob: BlobName = { kind: "blob", digest };
  const size = compression === "zstd" ? plainBytes : bytes;
  // A decoder gets nothing that was not checked when it was published.
  if (compression === "zstd") for await (const chunk of await store.read(blob)) void chunk;
  const content = await store.read(blob);
  const sink = pack.entry({ ...FIXED, name, size });
  // If the pack is destroyed, nobody waits for the entry.
  const done = finished(sink);
  done.catch(() => {});
  const closing = new AbortController();
  sink.once("close", () => closing.abort(new Error("the reader is gone")));
  const write = (chunk: Buffer) =>
    sink.write(chunk) ? undefined : once(sink, "drain", closing).then(() => undefined);
  await decompress(compression === "zstd" ? "zstd" : "plain", content, write);
  sink.end(undefined);
  await done;
}

const FIXED = { mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 } as const;

function addDocument(pack: tar.Pack, name: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    pack.entry({ ...FIXED, name, size: bytes.length }, bytes, (error) => (error ? reject(error) : resolve()));
  });
}

async function* explainErrors(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of content) yield chunk;
  } catch (error) {
    throw toProblem(error);
  }
}

/** Without the system's message, which names a path of the server. */
function toProblem(error: unknown): Error {
  const cause = error instanceof Error ? error : new Error(String(error));
  const isMissing = cause instanceof BlobMissing || ("code" in cause && cause.code === "ENOENT");
  if (cause instanceof BlobChanged)
    return unavailable("is not the one that was published, so it was not started");
  if (isMissing) return unavailable("is missing");
  if (cause instanceof Problem) return cause;
  return "syscall" in cause ? new StoreUnreachable(describe("can't be read")) : cause;
}

function unavailable(what: string): Problem {
  return new Problem("UNAVAILABLE", describe(what));
}

const describe = (what: string) =>
  `The platform's stored copy of this version's image ${what}. ` +
  "Ask the platform's operator to restore it, or the publisher to publish a new version.";
