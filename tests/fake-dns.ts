/** A name server for tests, over UDP and TCP: it has the records that a test gives it, and no others. */
import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

export interface Records {
  /** TXT records, each a list of strings of at most 255 bytes. */
  txt?: string[][];
  /** IPv4 addresses. */
  a?: string[];
  /** Answers that it failed. */
  fails?: true;
}

const [A, TXT] = [1, 16];
const [SERVER_FAILURE, NO_SUCH_NAME] = [2, 3];
const UDP_BYTES = 512;

export interface FakeDns extends AsyncDisposable {
  /** As `PLATFORM_DNS_SERVERS` names it. */
  server: string;
  asked: string[];
}

export async function startFakeDns(records: Record<string, Records>): Promise<FakeDns> {
  const asked: string[] = [];
  const answer = (query: Buffer) => respond(query, records, asked);
  const tcp = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const response = answer(received.subarray(2, end));
        const length = Buffer.alloc(2);
        length.writeUInt16BE(response.length);
        socket.write(Buffer.concat([length, response]));
        received = received.subarray(end);
      }
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket("udp4");
  udp.on("message", (query, from) => {
    const response = answer(query);
    udp.send(response.length > UDP_BYTES ? truncate(response, query) : response, from.port, from.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, "127.0.0.1", resolve));
  return {
    server: `127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

const HEADER = 12;

function respond(query: Buffer, records: Record<string, Records>, asked: string[]): Buffer {
  const { name, type, end } = readQuestion(query);
  asked.push(name);
  const found = records[name.toLowerCase()];
  const data =
    type === TXT
      ? (found?.txt ?? []).map((parts) => Buffer.concat(parts.map(characterString)))
      : type === A
        ? (found?.a ?? []).map((address) => Buffer.from(address.split(".").map(Number)))
        : [];
  const code = found?.fails === true ? SERVER_FAILURE : found === undefined ? NO_SUCH_NAME : 0;
  const header = Buffer.from(query.subarray(0, HEADER));
  header.writeUInt16BE(0x8580 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(code === 0 ? data.length : 0, 6);
  header.writeUInt32BE(0, 8);
  const answers = code === 0 ? data.map((each) => writeRecord(type, each)) : [];
  return Buffer.concat([header, query.subarray(HEADER, end), ...answers]);
}

/** Only the question, with the sign that the rest is to be asked for over TCP. */
function truncate(response: Buffer, query: Buffer): Buffer {
  const short = Buffer.from(response.subarray(0, readQuestion(query).end));
  short.writeUInt16BE(short.readUInt16BE(2) | 0x0200, 2);
  short.writeUInt16BE(0, 6);
  return short;
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query.readUInt8(at); length !== 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function characterString(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function writeRecord(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  // The name is that of the question.
  head.writeUInt16BE(0xc000 | HEADER, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
