/** Writes an upload to disk, without looking into it. */
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { Problem } from "@/lib/contract/platform/problem";
import { type Clock, SYSTEM_CLOCK } from "../platform/requests/share";
import { badBundle, BUNDLE_LIMITS, refuseWith, tooLarge } from "./archive/bad-bundle";
import { uploadPath } from "./archive/index-archive";

/** What a sender must send in each of these windows. Slower ones would take an upload's place for hours. */
const LEAST_BYTES = 30 * 1024;
const WINDOW_MS = 30_000;

/** Returns the number of bytes. Throws the signal's reason as soon as it is aborted, even while nothing arrives. */
export async function receiveUpload(
  archive: NodeJS.ReadableStream,
  folder: string,
  signal: AbortSignal,
  clock: Clock = SYSTEM_CLOCK,
): Promise<number> {
  // The stream stays open after a refusal: destroying a request would cut its response off too.
  const readable = archive instanceof Readable ? archive : new Readable().wrap(archive);
  const chunks: AsyncIterable<Buffer> = readable.iterator({ destroyOnReturn: false });
  const interrupted = badBundle("ARCHIVE_BROKEN", "", "The upload was interrupted.", "Send it again.");
  const arriving = refuseWith(interrupted, untilAborted(chunks, signal, clock));
  return writeCapped(arriving, uploadPath(folder));
}

/** Returns the number of bytes. Each chunk is written while the next one arrives. */
async function writeCapped(source: AsyncIterable<Buffer>, file: string): Promise<number> {
  const handle = await open(file, "wx", 0o600);
  let bytes = 0;
  let writing = Promise.resolve();
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > BUNDLE_LIMITS.archiveBytes) throw tooLarge();
      await writing;
      writing = handle.writeFile(chunk);
      // Reported by the next `await writing`.
      writing.catch(() => {});
    }
    await writing;
  } finally {
    await writing.catch(() => {});
    await handle.close();
  }
  return bytes;
}

/** The same chunks, until the signal is aborted or they arrive too slowly. */
export async function* untilAborted(
  chunks: AsyncIterable<Buffer>,
  signal: AbortSignal,
  clock: Clock,
): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  const slow = new AbortController();
  const either = AbortSignal.any([signal, slow.signal]);
  let isPending = false;
  let bytes = 0;
  const endWindow = () => {
    // While no chunk is requested, the disk is slow, not the sender.
    if (isPending && bytes < LEAST_BYTES) slow.abort(tooSlow());
    bytes = 0;
    cancel = clock.after(WINDOW_MS, endWindow);
  };
  let cancel = clock.after(WINDOW_MS, endWindow);
  try {
    for (;;) {
      isPending = true;
      const next = await nextChunk(iterator, either);
      isPending = false;
      if (next.done === true) return;
      bytes += next.value.length;
      yield next.value;
    }
  } finally {
    cancel();
    // Returning would wait for the chunk that never arrives.
    if (!isPending) await iterator.return?.();
  }
}

function tooSlow(): Problem {
  const detail = `Less than ${LEAST_BYTES / 1024} KiB of the archive arrived within ${WINDOW_MS / 1000} seconds. Publish again over a faster connection.`;
  return new Problem("TOO_SLOW", detail);
}

function nextChunk(iterator: AsyncIterator<Buffer>, signal: AbortSignal): Promise<IteratorResult<Buffer>> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}
