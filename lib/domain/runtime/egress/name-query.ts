/**
 * Answers to what an app asks its name server (RFC 1035). The guard never passes a question on: a name that the app may use has the guard's
 * own address (in a cluster, one has the state API's), and no other name exists. So no question carries data out.
 */
import { normalizeName } from "./allowed-hosts";

export interface NameAnswer {
  /** Undefined if nothing can be answered, such as for what isn't a question. */
  response?: Uint8Array;
  /** A name that leads nowhere; empty if it isn't one. */
  refused?: string;
}

/** Where a name leads. */
export interface NameRecord {
  /** Four bytes with dots. */
  address: string;
  /** The app asks again after this time, which also bounds how long it keeps a name that was taken away. */
  seconds: number;
}

const HEADER = 12;
const IN = 1;
const ANY_CLASS = 255;
const TYPE_A = 1;
const TYPE_ANY = 255;

const OK = 0;
const MALFORMED = 1;
const NO_SUCH_NAME = 3;
const NOT_IMPLEMENTED = 4;
const REFUSED = 5;

/** @param find where a name leads; undefined if it leads nowhere */
export function answerQuery(message: Uint8Array, find: (name: string) => NameRecord | undefined): NameAnswer {
  if (message.length < HEADER || (at(message, 2) & 0x80) !== 0) return {};
  const opcode = (at(message, 2) >> 3) & 15;
  if (opcode !== 0) return { response: respond(message, HEADER, NOT_IMPLEMENTED) };
  const question = readQuestion(message);
  if (question === undefined) return { response: respond(message, HEADER, MALFORMED), refused: "" };
  const { end, sent, type, klass } = question;
  const name = normalizeName(sent);
  if (klass !== IN && klass !== ANY_CLASS) return { response: respond(message, end, REFUSED), refused: sent };
  const record = name === undefined ? undefined : find(name);
  if (record === undefined) return { response: respond(message, end, NO_SUCH_NAME), refused: name ?? "" };
  // Names have IPv4 addresses only. Of all else, there is none.
  if (type !== TYPE_A && type !== TYPE_ANY) return { response: respond(message, end, OK) };
  return { response: respond(message, end, OK, record) };
}

/** The question of a message that has one, without compression. */
function readQuestion(message: Uint8Array) {
  if (at(message, 4) !== 0 || at(message, 5) !== 1) return undefined;
  const labels: string[] = [];
  let next = HEADER;
  for (let length = at(message, next); length !== 0; length = at(message, next)) {
    if (length > 63 || next + 1 + length >= message.length || next - HEADER > 255) return undefined;
    const label = String.fromCharCode(...message.subarray(next + 1, next + 1 + length));
    // A dot inside a label would make two labels of it.
    if (!/^[\w-]+$/.test(label)) return undefined;
    labels.push(label);
    next += 1 + length;
  }
  const end = next + 5;
  if (end > message.length || next - HEADER > 254) return undefined;
  return {
    end,
    sent: labels.join("."),
    type: at(message, next + 1) * 256 + at(message, next + 2),
    klass: at(message, next + 3) * 256 + at(message, next + 4),
  };
}

/** @param end of the question, which is copied as it was sent: clients compare its letters */
function respond(message: Uint8Array, end: number, code: number, record?: NameRecord): Uint8Array {
  const answer =
    record === undefined
      ? []
      : [
          0xc0,
          HEADER,
          0,
          TYPE_A,
          0,
          IN,
          0,
          0,
          0,
          record.seconds,
          0,
          4,
          ...record.address.split(".").map(Number),
        ];
  const response = new Uint8Array(end + answer.length);
  response.set(message.subarray(0, end));
  response.set(answer, end);
  // A response, with the question's opcode and its wish for recursion, which is available.
  response[2] = 0x80 | (at(message, 2) & 0x79);
  response[3] = 0x80 | code;
  const counts = [0, end > HEADER ? 1 : 0, 0, record === undefined ? 0 : 1, 0, 0, 0, 0];
  response.set(counts, 4);
  return response;
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}
