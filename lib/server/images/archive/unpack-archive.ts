/**
 * Unpacks an archive that is gzipped as a whole. Each large entry becomes a file of its own, hashed while it is written, so that a
 * layer is not copied or hashed again: reading and writing a gigabyte twice more takes as long as unpacking it.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, writeFile } from "node:fs/promises";
import path from "node:path";
import { createGunzip } from "node:zlib";
import { badBundle, BUNDLE_LIMITS, isBomb, refuseWith, tooLarge } from "./bad-bundle";
import { type ArchiveIndex, collectEntries, type IndexedEntry, toRefusal } from "./index-archive";
import { type Sink, type TarEntry, TarScanner } from "./tar-scanner";

/** Smaller entries share one file, so that an archive creates a bounded number of them. */
const LARGE_BYTES = 1024 * 1024;
const CHUNK_BYTES = 512 * 1024;

interface Part {
  file: string;
  bytes: Buffer;
}

/** @param folder gets the files */
export async function unpackArchive(uploaded: string, folder: string): Promise<ArchiveIndex> {
  const { add, index } = collectEntries();
  const parts: Part[] = [];
  const shared = path.join(folder, "small-entries");
  // An empty entry is read from it too.
  await writeFile(shared, "", { flag: "wx", mode: 0o600 });
  const place = createPlaces(folder, shared, parts);
  const scanner = new TarScanner((entry) => {
    const { placed, sink } = place(entry);
    add(placed);
    return sink;
  });
  const files = new OpenFiles();
  let writing = Promise.resolve();
  try {
    for await (const chunk of gunzip(uploaded)) {
      scanner.push(chunk);
      await writing;
      writing = files.write(parts.splice(0));
      // Reported by the next `await writing`.
      writing.catch(() => {});
    }
    scanner.end();
    await writing;
  } catch (error) {
    throw toRefusal(error);
  } finally {
    await writing.catch(() => {});
    await files.close();
  }
  return index;
}

/** Refuses damage, and what unpacks to more than an archive may be. */
async function* gunzip(file: string): AsyncGenerator<Buffer> {
  const unpacking = createGunzip({ chunkSize: CHUNK_BYTES });
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  source.pipe(unpacking);
  source.on("error", (error) => unpacking.destroy(error));
  // It may fail before anybody reads it, which would end the thread. A later reader gets the error.
  unpacking.on("error", () => {});
  const message = "The archive's gzip stream is damaged or truncated.";
  const broken = badBundle("ARCHIVE_BROKEN", "", message, "Save the image again.");
  let bytes = 0;
  try {
    for await (const chunk of refuseWith(broken, unpacking)) {
      bytes += chunk.length;
      if (bytes > BUNDLE_LIMITS.archiveBytes) throw tooLarge();
      if (isBomb(unpacking.bytesWritten, bytes))
        throw badBundle("DECOMPRESSION_BOMB", "", "The archive unpacks to more than 200 times its size.");
      yield chunk;
    }
  } finally {
    source.destroy();
  }
}

/** Decides where the content of each entry goes. @param parts gets what has to be written */
function createPlaces(
  folder: string,
  shared: string,
  parts: Part[],
): (entry: TarEntry) => { placed: IndexedEntry; sink?: Sink } {
  let sharedBytes = 0;
  let large = 0;
  return (entry) => {
    if (entry.size <= LARGE_BYTES) {
      const placed = { ...entry, file: shared, offset: sharedBytes };
      sharedBytes += entry.size;
      return { placed, sink: (bytes) => void parts.push({ file: shared, bytes }) };
    }
    const file = path.join(folder, `entry-${large}`);
    large += 1;
    const placed: IndexedEntry = { ...entry, file, offset: 0 };
    const hash = createHash("sha256");
    let left = entry.size;
    const sink = (bytes: Buffer) => {
      hash.update(bytes);
      left -= bytes.length;
      parts.push({ file, bytes });
      if (left === 0) placed.digest = `sha256:${hash.digest("hex")}`;
    };
    return { placed, sink };
  };
}

/** The file that is being written, and the one that small entries share. */
class OpenFiles {
  #handles = new Map<string, FileHandle>();

  async write(parts: readonly Part[]): Promise<void> {
    for (const { file, bytes } of parts) await (await this.#open(file)).writeFile(bytes);
  }

  async close(): Promise<void> {
    for (const handle of this.#handles.values()) await handle.close();
    this.#handles.clear();
  }

  async #open(file: string): Promise<FileHandle> {
    const known = this.#handles.get(file);
    if (known !== undefined) return known;
    if (this.#handles.size > 1) await this.close();
    const handle = await open(file, "a", 0o600);
    this.#handles.set(file, handle);
    return handle;
  }
}
