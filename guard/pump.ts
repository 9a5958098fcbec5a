import type { Readable, Writable } from "node:stream";

/** @param note is told of each chunk, and returns for how many milliseconds nothing more may be read */
export function pump(from: Readable, to: Writable, note: (bytes: number) => number = () => 0): void {
  let blocks = 0;
  const block = () => {
    blocks += 1;
    from.pause();
  };
  const unblock = () => {
    blocks -= 1;
    if (blocks === 0 && !from.destroyed) from.resume();
  };
  from.on("data", (chunk: Buffer) => {
    if (to.destroyed) return;
    const waitMs = note(chunk.length);
    if (!to.write(chunk)) {
      block();
      to.once("drain", unblock);
    }
    if (waitMs > 0) {
      block();
      setTimeout(unblock, waitMs);
    }
  });
  // A socket ends even while it is paused, such as before its other side was connected.
  if (from.readableEnded) to.end();
  else from.on("end", () => to.end());
  from.on("error", () => to.destroy());
  to.on("error", () => from.destroy());
}

/** Both directions. When one side breaks off, so does the other. */
export function pumpBoth(
  one: Readable & Writable,
  other: Readable & Writable,
  noteOut?: (bytes: number) => number,
  noteIn?: (bytes: number) => number,
): void {
  pump(one, other, noteOut);
  pump(other, one, noteIn);
  const breakOff = (from: Readable, to: Readable) =>
    from.once("close", () => {
      // After a proper end, the other side still gets what is under way.
      if (!from.readableEnded) to.destroy();
    });
  breakOff(one, other);
  breakOff(other, one);
}
