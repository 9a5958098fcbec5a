const MARK = Buffer.from("[state key]");

/**
 * The same bytes, with a mark in place of each state key, wherever the app cut its chunks. Holds back only what may be the
 * beginning of the key.
 */
export async function* withoutKeyBytes(
  chunks: AsyncIterable<Uint8Array>,
  stateKey: string,
): AsyncGenerator<Uint8Array> {
  const key = Buffer.from(stateKey);
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let rest = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
    for (let at = rest.indexOf(key); at !== -1; at = rest.indexOf(key)) {
      yield Buffer.concat([rest.subarray(0, at), MARK]);
      rest = rest.subarray(at + key.length);
    }
    const open = startLength(rest, key);
    held = rest.subarray(rest.length - open);
    if (rest.length > open) yield rest.subarray(0, rest.length - open);
  }
  if (held.length > 0) yield held;
}

/** How many of the last bytes are the beginning of the key. */
function startLength(bytes: Buffer, key: Buffer): number {
  for (let length = Math.min(bytes.length, key.length - 1); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(key.subarray(0, length))) return length;
  }
  return 0;
}
