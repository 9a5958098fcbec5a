/** Finds each entry of an archive, or each blob that was sent by itself: documents and layers are read in place, nothing is unpacked. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import path from "node:path";
import { badBundle, BUNDLE_LIMITS } from "./bad-bundle";
import type { LayerSource, SentImage } from "./image";
import { type TarEntry, TarScanner } from "./tar-scanner";
import { toName, toText } from "./tar-text";

export interface IndexedEntry extends TarEntry {
  /** Contains it from `offset` on. */
  file: string;
  /** Whether it is a blob that the store already has. */
  isStored?: boolean;
  /** Of its content, if somebody has computed it while writing a file that contains nothing else. */
  digest?: string;
}

/** Where an upload's folder has the archive. */
export function uploadPath(folder: string): string {
  return path.join(folder, "uploaded");
}

export interface ArchiveIndex {
  entries: ReadonlyMap<string, IndexedEntry>;
  /** Names of more than one file. */
  ambiguous: ReadonlySet<string>;
}

export async function indexArchive(file: string): Promise<ArchiveIndex> {
  const { add, index } = collectEntries();
  const scanner = new TarScanner((entry) => {
    add({ ...entry, file });
    return undefined;
  });
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }))
      if (Buffer.isBuffer(chunk)) scanner.push(chunk);
    scanner.end();
  } catch (error) {
    throw toRefusal(error);
  }
  return index;
}

/** @returns `add`, which refuses more entries than an archive may have */
export function collectEntries(): { add: (entry: IndexedEntry) => void; index: ArchiveIndex } {
  const entries = new Map<string, IndexedEntry>();
  const ambiguous = new Set<string>();
  let count = 0;
  const add = (entry: IndexedEntry) => {
    count += 1;
    if (count > BUNDLE_LIMITS.archiveEntries)
      throw badBundle(
        "TOO_MANY_ENTRIES",
        toText(entry.name),
        "The archive contains more than 20,000 entries.",
      );
    if (entry.type === "directory" || entry.type === "global") return;
    const name = entry.name.replace(/^\/*(\.\/+)*/, "");
    if (entries.has(name)) ambiguous.add(name);
    entries.set(name, entry);
  };
  return { add, index: { entries, ambiguous } };
}

/**
 * Of an image that was sent blob by blob: an OCI layout whose files are in different places.
 * @param folder the upload's, which gets the documents that name the blobs
 */
export async function indexBlobs(folder: string, { manifest, blobs }: SentImage): Promise<ArchiveIndex> {
  const document = Buffer.from(manifest);
  const { length: size } = document;
  const digest = sha256(document);
  const root = JSON.stringify({ manifests: [{ digest, size }] });
  const files = { root: path.join(folder, "index"), manifest: path.join(folder, "sent-manifest") };
  await writeFile(files.root, root, { flag: "wx", mode: 0o600 });
  await writeFile(files.manifest, document, { flag: "wx", mode: 0o600 });
  const entries = [
    toEntry("index.json", files.root, root.length),
    toEntry(blobName(digest), files.manifest, size),
    ...blobs.map(({ digest: each, file, bytes, isStored, isVerified = false }) => ({
      ...toEntry(blobName(each), file, bytes),
      isStored,
      ...(isVerified && { digest: each }),
    })),
  ];
  return { entries: new Map(entries.map((entry) => [entry.name, entry])), ambiguous: new Set() };
}

function toEntry(name: string, file: string, size: number): IndexedEntry {
  return { name, type: "file", linkName: "", size, offset: 0, file };
}

/** Of a blob in an OCI layout. */
export function blobName(digest: string): string {
  return `blobs/sha256/${digest.slice("sha256:".length)}`;
}

/** Errors of the scanner are the archive's fault. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === "Problem" || "syscall" in error) return error;
  return badBundle("ARCHIVE_BROKEN", "", `The upload is not a readable tar archive: ${error.message}.`);
}

/** The file with this name. Refuses links, ambiguous names, and paths that leave the archive. */
export function findEntry(index: ArchiveIndex, name: string): IndexedEntry {
  const shown = name.slice(0, 120);
  if (name.startsWith("/") || name.includes("\\") || name.split("/").includes(".."))
    throw badBundle("UNSAFE_PATH", name, "The archive refers to a path outside itself.");
  const entry = requireOne(index, name, shown);
  if (entry.type === "file") return entry;
  const target = linkToSameLayer(name, entry);
  // A link to another link is not followed, because links can form a circle.
  const linked = target === undefined ? undefined : requireOne(index, target, target);
  if (linked?.type === "file") return linked;
  throw badBundle("UNSAFE_PATH", name, `${shown} is not a regular file in the archive.`);
}

export function hasEntry(index: ArchiveIndex, name: string): boolean {
  return index.entries.has(toName(name));
}

function requireOne(index: ArchiveIndex, name: string, shown: string): IndexedEntry {
  const entry = index.entries.get(toName(name));
  if (entry === undefined)
    throw badBundle("BLOB_MISSING", name, `The archive refers to ${shown}, which it doesn't contain.`);
  if (index.ambiguous.has(toName(name)))
    throw badBundle("UNSAFE_PATH", name, `The archive contains ${shown} more than once.`);
  return entry;
}

/** Older engines write a repeated layer as a link to the first one. Only that form of link is followed. */
function linkToSameLayer(name: string, entry: TarEntry): string | undefined {
  if (entry.type !== "symlink" || !/^\.\.\/[0-9a-f]{64}\/layer\.tar$/.test(entry.linkName)) return undefined;
  const target = path.posix.join(path.posix.dirname(name), entry.linkName);
  return target === name || target.startsWith("..") ? undefined : target;
}

export async function readDocument(entry: IndexedEntry): Promise<Buffer> {
  if (entry.size > BUNDLE_LIMITS.documentBytes)
    throw badBundle("NOT_AN_IMAGE", entry.name, `${entry.name} is larger than 1 MiB.`);
  const handle = await open(entry.file, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(entry.size), 0, entry.size, entry.offset);
    return buffer;
  } finally {
    await handle.close();
  }
}

export function openLayer(entry: IndexedEntry): LayerSource {
  const { name, size: bytes, isStored = false, digest, file } = entry;
  const own = digest === undefined ? undefined : { file, digest };
  return { name, bytes, isStored, own, open: () => openEntry(entry) };
}

function openEntry(entry: IndexedEntry): AsyncIterable<Buffer> {
  if (entry.size === 0) return emptyContent();
  return createReadStream(entry.file, {
    start: entry.offset,
    end: entry.offset + entry.size - 1,
    highWaterMark: 256 * 1024,
  });
}

async function* emptyContent(): AsyncGenerator<Buffer> {}

export function sha256(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
