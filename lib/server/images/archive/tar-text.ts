/** Texts of a tar, which are bytes: one character for each, so that names that differ in one byte stay different names. */

/** Up to the first NUL. */
export function readText(bytes: Buffer, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString("latin1", 0, end < 0 ? field.length : end);
}

/** For people: the text that the bytes of a name stand for. */
export function toText(name: string): string {
  return Buffer.from(name, "latin1").toString("utf8");
}

/** The name of an entry that a document gives as text. */
export function toName(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** In messages. */
export function showPath(name: string): string {
  return toText(name).slice(0, 120);
}
