import { Transform } from "node:stream";
import type { Terminal } from "./terminal/environment";
import { Failure } from "./terminal/failure";

const WIDTH = 30;
const DRAW_MS = 100;
/** CI logs get one line per interval. */
const LINE_MS = 10_000;
/** An engine may prepare a large image for minutes before it writes the first byte. */
const SOURCE_PATIENCE = 10;

/**
 * Passes an upload through and shows its progress: a bar in a terminal, a line now and then in a log. Fails if nothing
 * passes for `idleMs`, because a connection whose other side is gone can stay open for hours.
 */
export function openUpload(terminal: Terminal, total: number, idleMs: number): Transform {
  let bytes = 0;
  let movedAt = Date.now();
  let shownAt = movedAt;
  const interval = terminal.interactive ? DRAW_MS : LINE_MS;
  const show = (idleForMs: number) => {
    shownAt = Date.now();
    const waiting = idleForMs < LINE_MS ? "" : ` (no progress for ${Math.round(idleForMs / 1000)} s)`;
    if (terminal.interactive) terminal.draw(bar(bytes, total) + waiting);
    else terminal.note(`Uploaded ${megabytes(bytes)} of about ${megabytes(total)}${waiting}`);
  };
  const upload = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      movedAt = Date.now();
      if (movedAt - shownAt >= interval) show(0);
      done(null, chunk);
    },
    flush(done) {
      clearInterval(watch);
      if (terminal.interactive) terminal.draw("");
      terminal.note(`Uploaded ${megabytes(bytes)}. Checking the image…`);
      done();
    },
    destroy(error, done) {
      clearInterval(watch);
      done(error);
    },
  });
  const watch = setInterval(
    () => {
      const idleForMs = Date.now() - movedAt;
      // Bytes that wait here wait for the platform; otherwise the archive has none.
      const isPlatform = upload.readableLength > 0;
      if (idleForMs >= (isPlatform ? idleMs : idleMs * SOURCE_PATIENCE))
        upload.destroy(stalled(isPlatform, bytes, idleForMs));
      else if (idleForMs >= LINE_MS && Date.now() - shownAt >= interval) show(idleForMs);
    },
    Math.min(1000, idleMs / 4),
  );
  return upload;
}

function stalled(isPlatform: boolean, bytes: number, idleForMs: number): Failure {
  const seconds = Math.max(1, Math.round(idleForMs / 1000));
  return new Failure(
    isPlatform
      ? `The upload stalled: the platform accepted nothing for ${seconds} s, after ${megabytes(bytes)}. Nothing was published. Check the network and the platform, then publish again.`
      : `The image could not be read: the container engine sent nothing for ${seconds} s, after ${megabytes(bytes)}. Nothing was published. Check the engine, then publish again.`,
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
