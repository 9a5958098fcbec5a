/**
 * The normalized archive: every engine loads it, the same image gives the same bytes, no name is the publisher's, and a
 * repeated layer is stored once.
 */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";
import { openEntry, type ArchiveIndex } from "./archive-index";
import { decompress } from "./formats/decompress";
import type { ReceivedBundle } from "./read-bundle";
import type { ScannedLayer } from "./scan-layers";

export interface WrittenArchive {
  archiveDigest: string;
  archiveBytes: number;
}

export async function writeArchive(bundle: ReceivedBundle, file: string): Promise<WrittenArchive> {
  const pack = tar.pack();
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const written = pipeline(pack, hashing, createWriteStream(file, { flags: "wx", mode: 0o600 }));
  await Promise.all([written, fill(pack, bundle).catch((error: Error) => void pack.destroy(error))]);
  return { archiveDigest: `sha256:${hash.digest("hex")}`, archiveBytes: (await stat(file)).size };
}

async function fill(pack: tar.Pack, { index, image, layers }: ReceivedBundle): Promise<void> {
  const configName = `${image.digest.slice("sha256:".length)}.json`;
  const distinct = new Map(layers.map((layer) => [layer.diffId, layer]));
  const digests = [...distinct.keys()];
  const names = new Map(digests.map((diffId, at) => [diffId, `layer-${String(at).padStart(3, "0")}.tar`]));
  await add(
    pack,
    "manifest.json",
    Buffer.from(
      JSON.stringify([
        { Config: configName, RepoTags: null, Layers: layers.map(({ diffId }) => names.get(diffId)) },
      ]),
    ),
  );
  await add(pack, configName, image.config);
  for (const [diffId, layer] of distinct) await addLayer(pack, names.get(diffId) ?? "", index, layer);
  pack.finalize();
}

/** Layers are copied as they are, except zstd, which Docker before 23 can't load. */
async function addLayer(
  pack: tar.Pack,
  name: string,
  index: ArchiveIndex,
  layer: ScannedLayer,
): Promise<void> {
  const unpack = layer.compression === "zstd";
  const content = openEntry(index, layer.entry);
  const sink = pack.entry({ ...FIXED, name, size: unpack ? layer.plainBytes : layer.entry.size });
  if (!unpack) return pipeline(Readable.from(content), sink);
  await decompress("zstd", content, (chunk) => write(sink, chunk));
  sink.end(undefined);
}

const FIXED = { mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 } as const;

function add(pack: tar.Pack, name: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    pack.entry({ ...FIXED, name, size: bytes.length }, bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function write(sink: NodeJS.WritableStream, chunk: Buffer): void | Promise<void> {
  if (sink.write(chunk)) return;
  return new Promise((resolve, reject) => {
    sink.once("drain", () => resolve());
    sink.once("error", reject);
  });
}
