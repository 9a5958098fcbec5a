/** Sends the blobs of an image that the platform doesn't have. */
import type { Credentials } from "../platform/credentials";
import { listBlobs, type Blob, type ImageContent } from "../image/image-content";
import { openTar } from "../image/inspect-image";
import type { Archive } from "../image/open-archive";
import { readBytes, readTar, rootName } from "../image/scan-layer";
import { askBlob } from "../platform/publish-api";
import type { CliEnvironment, Terminal } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import { chunkSource } from "./chunk-source";
import { sendBlob } from "./send-blob";
import { megabytes, showProgress, type Progress } from "./show-progress";

const ASKED_AT_ONCE = 8;

export async function sendImage(
  { uploadIdleMs, uploadRetryMs: retryMs }: CliEnvironment,
  credentials: Credentials,
  terminal: Terminal,
  { archive, image }: { archive: Archive; image: ImageContent },
  signal: AbortSignal,
): Promise<void> {
  const missing = await findMissing(credentials, listBlobs(image), signal);
  note(terminal, image, missing);
  const total = missing.reduce((sum, { bytes, arrived }) => sum + bytes - arrived, 0);
  const progress = showProgress(terminal, total, uploadIdleMs);
  const either = AbortSignal.any([signal, progress.stalled]);
  let sent = 0;
  const sendOne = async ({ digest, bytes, arrived }: Missing, content: AsyncIterable<Buffer>) => {
    const onProgress = (has: number) => progress.show(sent + has - arrived);
    const source = chunkSource(watchReads(content, progress), bytes);
    await sendBlob({ credentials, digest, source, retryMs, signal: either, onProgress });
    sent += bytes - arrived;
  };
  let isComplete = false;
  try {
    for await (const { blob, content } of readMissing(archive, missing, either)) await sendOne(blob, content);
    isComplete = true;
  } finally {
    progress.end(isComplete);
  }
}

interface Missing extends Blob {
  /** Bytes that an earlier attempt has sent. */
  arrived: number;
}

async function findMissing(
  credentials: Credentials,
  blobs: readonly Blob[],
  signal: AbortSignal,
): Promise<Missing[]> {
  const found: Missing[] = [];
  for (let at = 0; at < blobs.length; at += ASKED_AT_ONCE) {
    const asked = blobs.slice(at, at + ASKED_AT_ONCE);
    const arrived = await Promise.all(asked.map(({ digest }) => askBlob(credentials, digest, signal)));
    asked.forEach((blob, each) => found.push({ ...blob, arrived: Math.min(blob.bytes, arrived[each] ?? 0) }));
  }
  return found.filter(({ bytes, arrived }) => arrived < bytes);
}

function note(terminal: Terminal, { layers }: ImageContent, missing: readonly Missing[]): void {
  const all = new Set(layers.map(({ digest }) => digest));
  const left = missing.filter(({ digest }) => all.has(digest)).length;
  if (left < all.size) terminal.note(`${all.size - left} of ${all.size} layers are already uploaded.`);
  const arrived = missing.reduce((sum, blob) => sum + blob.arrived, 0);
  if (arrived > 0) terminal.note(`Continuing an earlier upload. ${megabytes(arrived)} have already arrived.`);
}

/** What is missing, with its content: the archive's in its order, which is read only as far as necessary. */
async function* readMissing(
  archive: Archive,
  missing: readonly Missing[],
  signal: AbortSignal,
): AsyncGenerator<{ blob: Missing; content: AsyncIterable<Buffer> }> {
  const byName = new Map<string, Missing>();
  for (const blob of missing)
    if (typeof blob.content === "string") byName.set(blob.content, blob);
    else yield { blob, content: once(blob.content) };
  if (byName.size === 0) return;
  const source = await archive.open();
  const stop = () => source.destroy();
  signal.addEventListener("abort", stop);
  try {
    for await (const entry of readTar(await openTar(source))) {
      const name = rootName(entry.header);
      const blob = entry.header.type === "file" ? byName.get(name) : undefined;
      if (blob !== undefined) {
        yield { blob, content: readBytes(entry) };
        byName.delete(name);
        if (byName.size === 0) return;
      }
      entry.resume();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    source.destroy();
  }
  if (byName.size > 0)
    throw new Failure("NO_IMAGE", "The image's archive changed while it was read. Publish again.");
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

async function* watchReads(content: AsyncIterable<Buffer>, progress: Progress): AsyncGenerator<Buffer> {
  progress.isReading = true;
  for await (const chunk of content) {
    progress.isReading = false;
    yield chunk;
    progress.isReading = true;
  }
  progress.isReading = false;
}
