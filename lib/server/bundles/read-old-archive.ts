/** Reads archives from before images were stored as blobs: one file, `<bundles>/<hex>.tar`, that this platform wrote. */
import { open, type FileHandle } from "node:fs/promises";
import { z } from "zod";
import type { Environment } from "../platform/environment";
import { BUNDLE_LIMITS } from "./bad-bundle";
import { BLOCK, readHeader } from "./formats/tar-header";
import { parseDocument } from "./image";
import { oldArchivePath } from "./open-archive";

/** No such archive has more entries: two documents, and the layers. */
const MAX_ENTRIES = BUNDLE_LIMITS.layers + 2;

const manifestShape = z.tuple([z.looseObject({ Config: z.string(), Layers: z.array(z.string()) })]);

/** The configuration, and the sizes of the layers. Undefined if there is no such archive. */
export async function readOldArchive(environment: Environment, archiveDigest: string) {
  const file = await open(oldArchivePath(environment, archiveDigest), "r").catch(ignoreAbsent);
  if (file === undefined) return undefined;
  try {
    const { size: archiveBytes } = await file.stat();
    const entries = await listEntries(file, archiveBytes);
    const document = await readDocument(file, entries, "manifest.json");
    const [{ Config, Layers }] = parseDocument(manifestShape, document, "manifest.json");
    const config = await readDocument(file, entries, Config);
    const layers = Layers.map((name) => ({ bytes: requireEntry(entries, name).size }));
    return { config, layers, archiveBytes };
  } finally {
    await file.close();
  }
}

interface Entry {
  offset: number;
  size: number;
}

/** Hops from header to header: an archive of gigabytes takes a few reads. */
async function listEntries(file: FileHandle, end: number): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  for (let at = 0; at + BLOCK <= end && entries.size < MAX_ENTRIES;) {
    const { buffer } = await file.read(Buffer.alloc(BLOCK), 0, BLOCK, at);
    const header = readHeader(buffer);
    if (header === undefined) break;
    const { name, size } = header;
    entries.set(name, { offset: at + BLOCK, size });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}

async function readDocument(file: FileHandle, entries: ReadonlyMap<string, Entry>, name: string) {
  const { offset, size } = requireEntry(entries, name);
  if (size > BUNDLE_LIMITS.documentBytes) throw new Error(`${name} of a stored archive is too large`);
  return (await file.read(Buffer.alloc(size), 0, size, offset)).buffer;
}

function requireEntry(entries: ReadonlyMap<string, Entry>, name: string): Entry {
  const entry = entries.get(name);
  if (entry === undefined) throw new Error(`a stored archive has no ${name}`);
  return entry;
}

function ignoreAbsent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
