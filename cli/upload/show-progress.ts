import type { Terminal } from "../terminal/environment";
import { Failure } from "../terminal/failure";

const WIDTH = 30;
const DRAW_MS = 100;
/** CI logs get one line per interval. */
const LINE_MS = 10_000;
/** An engine may prepare a large image for minutes before it writes the first byte. */
const SOURCE_PATIENCE = 10;

export interface Progress {
  /** @param bytes that the platform has, of all blobs together */
  show(bytes: number): void;
  /** Whether the next bytes are still being read, so that the platform waits for them. */
  isReading: boolean;
  /** Aborted with a `Failure` if nothing moves for too long, because a connection whose other side is gone can stay open for hours. */
  stalled: AbortSignal;
  /** @param isComplete whether everything was sent */
  end(isComplete: boolean): void;
}

/** A bar in a terminal, a line now and then in a log. */
export function showProgress(terminal: Terminal, total: number, idleMs: number): Progress {
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
    isReading: false,
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
      const isPlatform = !progress.isReading;
      if (idleForMs >= (isPlatform ? idleMs : idleMs * SOURCE_PATIENCE))
        stall.abort(stalledAt(isPlatform, bytes, idleForMs));
      else if (idleForMs >= LINE_MS && Date.now() - shownAt >= interval) draw(idleForMs);
    },
    Math.min(1000, idleMs / 4),
  );
  return progress;
}

function stalledAt(isPlatform: boolean, bytes: number, idleForMs: number): Failure {
  const seconds = Math.max(1, Math.round(idleForMs / 1000));
  return new Failure(
    "STALLED",
    isPlatform
      ? `The upload stalled: the platform received no data for ${seconds} s, after ${megabytes(bytes)}. Nothing was published. Check the network and the platform, then publish again. The upload continues where it stopped.`
      : `The image couldn't be read: the container engine sent no data for ${seconds} s, after ${megabytes(bytes)}. Nothing was published. Check the engine, then publish again.`,
  );
}

function bar(bytes: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, bytes / total);
  const filled = Math.round(share * WIDTH);
  return `Uploading ${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${megabytes(bytes)}`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
