/** For tests: TLS greetings, also such as no library would send. */

const number = (value: number, size: number) =>
  Array.from({ length: size }, (_, index) => (value >>> (8 * (size - 1 - index))) & 0xff);

const field = (size: number, bytes: Iterable<number>) => {
  const all = [...bytes];
  return [...number(all.length, size), ...all];
};

export function extension(type: number, data: Uint8Array): number[] {
  return [...number(type, 2), ...field(2, data)];
}

/** The data of the extension `server_name`. */
export function serverName(...names: string[]): Uint8Array {
  const list = names.flatMap((name) => [0, ...field(2, new TextEncoder().encode(name))]);
  return Uint8Array.from(field(2, list));
}

/** The handshake message. @param extensions undefined for none, as before TLS 1.2 */
export function createClientHello(extensions: number[][] | undefined): Uint8Array {
  const body = [
    3,
    3,
    ...Array<number>(32).fill(7),
    ...field(1, Array<number>(32).fill(9)),
    ...field(2, [0x13, 0x01]),
    ...field(1, [0]),
    ...(extensions === undefined ? [] : field(2, extensions.flat())),
  ];
  return Uint8Array.from([1, ...field(3, body)]);
}

/** @param cuts lengths of the first records; the rest is in records of the largest size */
export function splitRecords(message: Uint8Array, cuts: readonly number[] = []): Uint8Array {
  const records: number[] = [];
  let at = 0;
  for (let index = 0; at < message.length; index += 1) {
    const part = message.subarray(at, at + (cuts[index] ?? 16_384));
    records.push(22, 3, 1, ...field(2, part));
    at += part.length;
  }
  return Uint8Array.from(records);
}
