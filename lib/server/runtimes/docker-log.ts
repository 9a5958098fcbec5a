const HEADER_BYTES = 8;

/** Joins the frames of the engine's log stream: 1 byte stream, 3 bytes zero, 4 bytes length, then the output. */
export function joinFrames(raw: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  while (at + HEADER_BYTES <= raw.length) {
    const length = raw.readUInt32BE(at + 4);
    parts.push(raw.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length));
    at += HEADER_BYTES + length;
  }
  return Buffer.concat(parts);
}
