/**
 * Interim responses (RFC 9110, 15.2) may precede an answer, asked for or not: `100 Continue`, `102 Processing`, `103 Early Hints`.
 * `101 Switching Protocols` is not one of them for the platform, because nothing follows it that is HTTP.
 */

const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const SAMPLE = "HTTP/1.1 100";
const DIGIT_AT = SAMPLE.length - 3;
const ONE = 0x31;
const HEAD_BYTES = 16 * 1024;
const HEAD_END = "\r\n\r\n";

interface Skipped {
  /** What follows the interim responses. */
  rest: Buffer;
  /** Whether it is the beginning of the answer. If not, more bytes are needed to know. */
  isFinal: boolean;
}

/** @param bytes all that arrived of the answer and of the interim responses before it, apart from those that were skipped */
export function skipInterim(bytes: Buffer): Skipped {
  let rest = bytes;
  // What almost every answer needs is this comparison.
  while (rest.length <= DIGIT_AT || rest[DIGIT_AT] === ONE) {
    const start = rest.toString("latin1", 0, SAMPLE.length);
    if (!INTERIM.test(start + SAMPLE.slice(start.length))) break;
    const end = rest.indexOf(HEAD_END);
    const head = rest.toString("latin1", 0, end === -1 ? Math.min(rest.length, HEAD_BYTES) : end);
    // Not HTTP, or too long: for the parser to refuse.
    if (/(?<!\r)\n/.test(head) || head.length >= HEAD_BYTES) break;
    if (end === -1) return { rest, isFinal: false };
    rest = rest.subarray(end + HEAD_END.length);
  }
  return { rest, isFinal: true };
}
