/** Where each entry of an archive is, so that documents and layers are read from their place and nothing is unpacked. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { badBundle } from "./bad-bundle";
import { BUNDLE_LIMITS } from "./limits";
import { TarScanner, type TarEntry } from "./tar-scanner";

export interface ArchiveIndex {
  file: string;
  entries: ReadonlyMap<string, TarEntry>;
  /** Names that more than one file has. */
  ambiguous: ReadonlySet<string>;
}

export async function indexArchive(file: string): Promise<ArchiveIndex> {
  const entries = new Map<string, TarEntry>();
  const ambiguous = new Set<string>();
  let count = 0;
  const scanner = new TarScanner((entry) => {
    count += 1;
    if (count > BUNDLE_LIMITS.archiveEntries) {
      throw badBundle(
        "TOO_MANY_ENTRIES",
        entry.name,
        "The archive holds too many entries.",
        "Send what `docker save` writes.",
      );
    }
    const name = entry.name.replace(/^(\.\/)+/, "");
    if (entry.type !== "directory" && entries.has(name)) ambiguous.add(name);
    if (entry.type !== "directory") entries.set(name, entry);
    return undefined;
  });
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }))
      if (Buffer.isBuffer(chunk)) scanner.push(chunk);
    scanner.end();
  } catch (error) {
    throw archiveFault(error);
  }
  return { file, entries, ambiguous };
}

/** The file of that name. Refuses links, names that are there twice, and paths that leave the archive. */
export function entryOf(index: ArchiveIndex, name: string): TarEntry {
  if (name.startsWith("/") || name.includes("\\") || name.split("/").includes("..")) {
    throw badBundle(
      "UNSAFE_PATH",
      name,
      "The archive refers to a path outside itself.",
      "Send what `docker save` writes.",
    );
  }
  const entry = index.entries.get(name);
  if (entry === undefined) {
    throw badBundle(
      "BLOB_MISSING",
      name,
      `The archive lacks ${name.slice(0, 120)}, which it refers to.`,
      "Save the image again.",
    );
  }
  if (index.ambiguous.has(name)) {
    throw badBundle(
      "UNSAFE_PATH",
      name,
      `The archive holds ${name.slice(0, 120)} twice.`,
      "Send what `docker save` writes.",
    );
  }
  if (entry.type === "file") return entry;
  const target = sameLayerAs(name, entry);
  if (target !== undefined) return entryOf(index, target);
  throw badBundle(
    "UNSAFE_PATH",
    name,
    `${name.slice(0, 120)} is no file in the archive.`,
    "Send what `docker save` writes.",
  );
}

/** Older engines write a layer that comes twice as a link to the first: that form, and no other link, is followed. */
function sameLayerAs(name: string, entry: TarEntry): string | undefined {
  if (entry.type !== "symlink" || !/^\.\.\/[0-9a-f]{64}\/layer\.tar$/.test(entry.linkName)) return undefined;
  const target = path.posix.join(path.posix.dirname(name), entry.linkName);
  return target === name || target.startsWith("..") ? undefined : target;
}

export async function readDocument(index: ArchiveIndex, entry: TarEntry): Promise<Buffer> {
  if (entry.size > BUNDLE_LIMITS.documentBytes) {
    throw badBundle(
      "NOT_AN_IMAGE",
      entry.name,
      `${entry.name} is larger than 4 MiB.`,
      "Send what `docker save` writes.",
    );
  }
  const handle = await open(index.file, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(entry.size), 0, entry.size, entry.offset);
    return buffer;
  } finally {
    await handle.close();
  }
}

export function openEntry(index: ArchiveIndex, entry: TarEntry): AsyncIterable<Buffer> {
  if (entry.size === 0) return emptyContent();
  return createReadStream(index.file, {
    start: entry.offset,
    end: entry.offset + entry.size - 1,
    highWaterMark: 256 * 1024,
  });
}

async function* emptyContent(): AsyncGenerator<Buffer> {}

export function sha256(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

function archiveFault(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === "Problem" || "syscall" in error) return error;
  const hint = "Send an archive that `docker save` wrote, or an OCI layout as one tar.";
  return badBundle(
    "ARCHIVE_BROKEN",
    "",
    `The upload is no tar archive that can be read: ${error.message}.`,
    hint,
  );
}
