import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Problem } from "@/lib/contract/problem";
import { badBundle } from "./bad-bundle";
import { BUNDLE_LIMITS, isBomb } from "./limits";

/** Writes an upload to a file in `folder` and returns its path. An archive that is gzipped as a whole is unpacked. */
export async function receiveArchive(archive: NodeJS.ReadableStream, folder: string): Promise<string> {
  const uploaded = path.join(folder, "uploaded");
  // The stream stays open after a refusal: destroying a request would cut its answer off too.
  const readable = archive instanceof Readable ? archive : new Readable().wrap(archive);
  const chunks: AsyncIterable<Buffer> = readable.iterator({ destroyOnReturn: false });
  await writeCapped(refusing(chunks, "The upload broke off.", "Send it again."), uploaded, () => {});
  if (!(await isGzip(uploaded))) return uploaded;
  const plain = path.join(folder, "unpacked");
  const source = createReadStream(uploaded);
  const gunzip = source.pipe(createGunzip());
  source.on("error", (error) => gunzip.destroy(error));
  await writeCapped(
    refusing(gunzip, "The archive's gzip is broken or cut off.", "Save the image again."),
    plain,
    (bytes) => {
      if (!isBomb(gunzip.bytesWritten, bytes)) return;
      throw badBundle(
        "DECOMPRESSION_BOMB",
        "",
        "The archive unpacks to far more than it holds.",
        "Send what `docker save` writes.",
      );
    },
  ).finally(() => source.destroy());
  await rm(uploaded);
  return plain;
}

async function writeCapped(
  source: AsyncIterable<Buffer>,
  file: string,
  check: (bytes: number) => void,
): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > BUNDLE_LIMITS.archiveBytes) {
        throw new Problem(
          "TOO_LARGE",
          "The archive is larger than 2 GiB. Build a smaller image, such as from a slim base.",
        );
      }
      check(bytes);
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
}

/** The same chunks; a failure to get one is the sender's, and a refusal. */
async function* refusing(
  chunks: AsyncIterable<Buffer>,
  message: string,
  hint: string,
): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch(() => {
        throw badBundle("ARCHIVE_BROKEN", "", message, hint);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
