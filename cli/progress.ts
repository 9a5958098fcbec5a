import { Transform } from "node:stream";
import type { Terminal } from "./environment";

const WIDTH = 30;
const DRAW_MS = 100;
/** CI logs get one line per interval. */
const LINE_MS = 10_000;

/** Passes an upload through and shows its progress: a bar in a terminal, a line now and then in a log. */
export function progress(terminal: Terminal, total: number): Transform {
  let bytes = 0;
  let shownAt = Date.now();
  const interval = terminal.interactive ? DRAW_MS : LINE_MS;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (Date.now() - shownAt >= interval) {
        shownAt = Date.now();
        if (terminal.interactive) terminal.draw(bar(bytes, total));
        else terminal.note(`Uploaded ${megabytes(bytes)} of about ${megabytes(total)}`);
      }
      done(null, chunk);
    },
    flush(done) {
      if (terminal.interactive) terminal.draw("");
      terminal.note(`Uploaded ${megabytes(bytes)}. Checking the image…`);
      done();
    },
  });
}

function bar(bytes: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, bytes / total);
  const filled = Math.round(share * WIDTH);
  return `Uploading ${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${megabytes(bytes)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
