/**
 * The server name of a TLS connection, from the first message that a client sends (RFC 8446, section 4.1.2; RFC 6066, section 3). Nothing is
 * decrypted, and nothing that a server could read otherwise is accepted.
 */

/** Why a connection is refused, as the app's publisher reads it. */
export const HELLO_REFUSALS = {
  notTls: "is not TLS",
  malformed: "sent a malformed TLS greeting",
  tooLong: "sent too long a TLS greeting",
  noName: "sent no server name (SNI)",
  hidden: "encrypted its server name (ECH)",
} as const;
type HelloRefusal = (typeof HELLO_REFUSALS)[keyof typeof HELLO_REFUSALS];

/** `need`: how many bytes there must be before reading again makes sense. */
export type Hello = { name: string } | { refused: HelloRefusal } | { need: number };

/** More than post-quantum key shares, long session tickets and a hundred extensions need. */
export const LONGEST_HELLO = 16_384;
/** Clients and middleboxes split it into a few records, not into bytes. */
const MOST_RECORDS = 16;

const HANDSHAKE_RECORD = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
const ENCRYPTED_HELLO = 0xfe0d;
/** Names of earlier drafts of encrypted server names. */
const HIDDEN = new Set([ENCRYPTED_HELLO, 0xffce]);

/** @param bytes all that the client sent so far */
export function readClientHello(bytes: Uint8Array): Hello {
  const joined = joinRecords(bytes);
  if (!("message" in joined)) return joined;
  try {
    return readMessage(new Reader(joined.message));
  } catch (error) {
    if (error instanceof EndOfBytes) return { refused: HELLO_REFUSALS.malformed };
    throw error;
  }
}

type Joined = { message: Uint8Array } | Exclude<Hello, { name: string }>;

/** The body of the handshake message, which can be split over records. */
function joinRecords(bytes: Uint8Array): Joined {
  const parts: Uint8Array[] = [];
  let has = 0;
  for (let at = 0, records = 0; ; records += 1) {
    if (at > 0 || bytes.length > 0) {
      const [type = HANDSHAKE_RECORD, major = 3] = bytes.subarray(at, at + 2);
      if (type !== HANDSHAKE_RECORD || major !== 3)
        return { refused: at === 0 ? HELLO_REFUSALS.notTls : HELLO_REFUSALS.malformed };
    }
    if (bytes.length < at + 5) return { need: at + 5 };
    const length = readNumber(bytes, at + 3, 2);
    if (length === 0 || length > 16_384) return { refused: HELLO_REFUSALS.malformed };
    if (records === MOST_RECORDS || at + 5 + length > LONGEST_HELLO)
      return { refused: HELLO_REFUSALS.tooLong };
    if (bytes.length < at + 5 + length) return { need: at + 5 + length };
    parts.push(bytes.subarray(at + 5, at + 5 + length));
    has += length;
    at += 5 + length;
    const whole = join(parts, has);
    if (whole.length < 4) continue;
    if (whole[0] !== CLIENT_HELLO) return { refused: HELLO_REFUSALS.malformed };
    const wanted = 4 + readNumber(whole, 1, 3);
    if (wanted > LONGEST_HELLO) return { refused: HELLO_REFUSALS.tooLong };
    // What follows in the same record would be another message before the server's answer.
    if (whole.length > wanted) return { refused: HELLO_REFUSALS.malformed };
    if (whole.length === wanted) return { message: whole.subarray(4) };
  }
}

function readMessage(hello: Reader): Hello {
  hello.skip(2 + 32);
  hello.take(1);
  hello.take(2);
  hello.take(1);
  if (hello.isEmpty) return { refused: HELLO_REFUSALS.noName };
  const extensions = new Reader(hello.take(2));
  if (!hello.isEmpty) return { refused: HELLO_REFUSALS.malformed };
  const seen = new Set<number>();
  let name: string | undefined;
  while (!extensions.isEmpty) {
    const type = extensions.number(2);
    const data = extensions.take(2);
    if (HIDDEN.has(type)) return { refused: HELLO_REFUSALS.hidden };
    // Servers may take the first or the last of two.
    if (seen.has(type)) return { refused: HELLO_REFUSALS.malformed };
    seen.add(type);
    if (type === SERVER_NAME) name = readServerName(new Reader(data));
    if (type === SERVER_NAME && name === undefined) return { refused: HELLO_REFUSALS.malformed };
  }
  return name === undefined ? { refused: HELLO_REFUSALS.noName } : { name };
}

/** The only name of the list; undefined for any other list. */
function readServerName(extension: Reader): string | undefined {
  const list = new Reader(extension.take(2));
  if (!extension.isEmpty || list.number(1) !== HOST_NAME) return undefined;
  const name = list.take(2);
  if (!list.isEmpty || name.length === 0 || name.length > 255) return undefined;
  // Servers end a name at a zero, or read other bytes as they like.
  if (name.some((byte) => byte <= 0x20 || byte >= 0x7f)) return undefined;
  return String.fromCharCode(...name);
}

class EndOfBytes extends Error {}

class Reader {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  get isEmpty(): boolean {
    return this.at === this.bytes.length;
  }

  number(size: number): number {
    this.skip(size);
    return readNumber(this.bytes, this.at - size, size);
  }

  /** A field with its length in front. */
  take(sizeOfLength: number): Uint8Array {
    const length = this.number(sizeOfLength);
    this.skip(length);
    return this.bytes.subarray(this.at - length, this.at);
  }

  skip(length: number): void {
    this.at += length;
    if (this.at > this.bytes.length) throw new EndOfBytes();
  }
}

function readNumber(bytes: Uint8Array, at: number, size: number): number {
  let number = 0;
  for (const byte of bytes.subarray(at, at + size)) number = number * 256 + byte;
  return number;
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
