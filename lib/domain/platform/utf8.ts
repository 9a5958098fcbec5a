const decoder = new TextDecoder("utf-8", { fatal: true });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The offset of the first byte that is not part of valid UTF-8 (RFC 3629); undefined if all of them are. */
export function findInvalidUtf8(bytes: Uint8Array): number | undefined {
  if (isUtf8(bytes)) return undefined;
  // The longest valid beginning, by halves. A sequence of at most four bytes may be cut at its end.
  let [valid, invalid] = [0, bytes.length];
  while (invalid - valid > 4) {
    const middle = Math.floor((valid + invalid) / 2);
    const start = [0, 1, 2, 3]
      .map((back) => middle - back)
      .find((at) => at > valid && isUtf8(bytes.subarray(valid, at)));
    if (start === undefined) invalid = middle;
    else valid = start;
  }
  for (let length = 4; length > 0; length -= 1)
    while (valid + length <= bytes.length && isUtf8(bytes.subarray(valid, valid + length))) valid += length;
  return valid;
}

/** @param what such as "The request body" */
export function describeInvalidUtf8(what: string, bytes: Uint8Array, at: number): string {
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  return `${what} is not valid UTF-8: the byte 0x${byte} at offset ${at} is not part of a character.`;
}
