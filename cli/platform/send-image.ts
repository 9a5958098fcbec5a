/** Sends the blobs of an image that the platform doesn't have. */
import { type Blob, type ImageContent, listBlobs } from "../image/image-content";
import type { CliEnvironment, Terminal } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import type { Credentials } from "./credentials";
import { askBlob } from "./publish-api";
import { type ChunkSize, chunkSource, LARGEST_CHUNK, sendBlob } from "./send-blob";

const ASKED_AT_ONCE = 8;

export async function sendImage(
  { uploadIdleMs, uploadRetryMs: retryMs }: CliEnvironment,
  credentials: Credentials,
  terminal: Terminal,
  image: ImageContent,
  signal: AbortSignal,
): Promise<void> {
  const missing = await findMissing(credentials, listBlobs(image), retryMs, signal);
  note(terminal, image, missing);
  const total = missing.reduce((sum, { bytes, arrived }) => sum + bytes - arrived, 0);
  const progress = showProgress(terminal, total, uploadIdleMs);
  const either = AbortSignal.any([signal, progress.stalled]);
  const chunk: ChunkSize = { bytes: LARGEST_CHUNK };
  let sent = 0;
  let isComplete = false;
  try {
    for (const { digest, bytes, arrived, open } of missing) {
      const source = chunkSource(open(), bytes);
      const onProgress = (has: number) => progress.show(sent + has - arrived);
      await sendBlob({ credentials, digest, source, chunk, retryMs, signal: either, onProgress }).finally(
        source.close,
      );
      sent += bytes - arrived;
    }
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
  retryMs: readonly number[],
  signal: AbortSignal,
): Promise<Missing[]> {
  const found: Missing[] = [];
  for (let at = 0; at < blobs.length; at += ASKED_AT_ONCE) {
    const asked = blobs.slice(at, at + ASKED_AT_ONCE);
    const arrived = await Promise.all(
      asked.map(({ digest }) => askBlob(credentials, digest, retryMs, signal)),
    );
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

const WIDTH = 30;
const DRAW_MS = 100;
/** CI logs get one line per interval. */
const LINE_MS = 10_000;

interface Progress {
  /** @param bytes that the platform has, of all blobs together */
  show(bytes: number): void;
  /** Aborted with a `Failure` if nothing moves for too long, because a connection whose other side is gone can stay open for hours. */
  stalled: AbortSignal;
  /** @param isComplete whether everything was sent */
  end(isComplete: boolean): void;
}

/** A bar in a terminal, a line now and then in a log. */
function showProgress(terminal: Terminal, total: number, idleMs: number): Progress {
  const stall = new AbortController();
  let bytes = 0;
  let movedAt = Date.now();
  let shownAt = movedAt;
  const interval = terminal.interactive ? DRAW_MS : LINE_MS;
  const draw = (idleForMs: number) => {
    shownAt = Date.now();
    const waiting = idleForMs < LINE_MS ? "" : ` (no progress for ${Math.round(idleForMs / 1000)} s)`;
    if (terminal.interactive) terminal.draw(bar(bytes, total) + waiting);
    else terminal.note(`Uploaded ${megabytes(bytes)} of ${megabytes(total)}${waiting}`);
  };
  const progress: Progress = {
    stalled: stall.signal,
    show: (sent) => {
      if (sent === bytes) return;
      bytes = sent;
      movedAt = Date.now();
      if (movedAt - shownAt >= interval) draw(0);
    },
    end: (isComplete) => {
      clearInterval(watch);
      if (terminal.interactive) terminal.draw("");
      if (isComplete) terminal.note(`Uploaded ${megabytes(total)}. Checking the image…`);
    },
  };
  const watch = setInterval(
    () => {
      const idleForMs = Date.now() - movedAt;
      if (idleForMs >= idleMs) stall.abort(stalledAt(bytes, idleForMs));
      else if (idleForMs >= LINE_MS && Date.now() - shownAt >= interval) draw(idleForMs);
    },
    Math.min(1000, idleMs / 4),
  );
  return progress;
}

function stalledAt(bytes: number, idleForMs: number): Failure {
  const seconds = Math.max(1, Math.round(idleForMs / 1000));
  return new Failure(
    "STALLED",
    `The upload stalled: the platform received no data for ${seconds} s, after ${megabytes(bytes)}. Nothing was published. Check the network and the platform, then publish again. The upload continues where it stopped.`,
  );
}

function bar(bytes: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, bytes / total);
  const filled = Math.round(share * WIDTH);
  return `Uploading ${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${megabytes(bytes)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
