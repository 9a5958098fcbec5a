/** One entry of a tar as bytes: whatever its header says, with a right checksum. */
export type Pick = <Item>(items: readonly Item[]) => Item;

export const BLOCK = 512;

export interface RawHeader {
  name: string | Buffer;
  type?: string;
  content?: string | Buffer;
  /** Instead of the content's length. */
  size?: string | Buffer;
  link?: string | Buffer;
  magic?: string;
  prefix?: string;
  /** Of signed bytes, in base 256, or without a NUL. */
  checksum?: "right" | "signed" | "binary" | "spaces";
  /** Raw values of other fields, by their offset. */
  fields?: Record<number, string | Buffer>;
}

export function rawEntry({
  name,
  type = "0",
  content = "",
  size,
  link = "",
  magic,
  prefix,
  checksum = "right",
  fields,
}: RawHeader): Buffer {
  const body = Buffer.from(content);
  const block = Buffer.alloc(BLOCK);
  const put = (at: number, value: string | Buffer) => Buffer.from(value).copy(block, at);
  put(0, Buffer.from(name).subarray(0, 100));
  put(100, "0000644\0");
  put(108, "0000000\0");
  put(116, "0000000\0");
  put(124, size ?? `${body.length.toString(8).padStart(11, "0")}\0`);
  put(136, "00000000000\0");
  put(156, type);
  put(157, Buffer.from(link).subarray(0, 100));
  put(257, magic ?? "ustar\x0000");
  put(345, prefix ?? "");
  for (const [at, value] of Object.entries(fields ?? {})) put(Number(at), value);
  if (fields?.[CHECKSUM] === undefined) put(CHECKSUM, writeChecksum(block, checksum));
  return Buffer.concat([block, body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]);
}

const CHECKSUM = 148;

function writeChecksum(block: Buffer, form: NonNullable<RawHeader["checksum"]>): string | Buffer {
  block.fill(" ", CHECKSUM, CHECKSUM + 8);
  const sum = block.reduce((total, byte) => total + (form === "signed" && byte > 127 ? byte - 256 : byte), 0);
  if (form === "binary") return Buffer.from([0x80, 0, 0, 0, 0, sum >> 16, (sum >> 8) & 255, sum & 255]);
  return sum.toString(8).padStart(6, "0") + (form === "spaces" ? "  " : "\0 ");
}

/** A header of records. */
export function pax(records: Record<string, string>, type = "x", name = "pax"): Buffer {
  return rawEntry({ name, type, content: Object.entries(records).map(toRecord).join("") });
}

function toRecord([key, value]: [string, string]): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (String(length).length + Buffer.byteLength(rest) !== length)
    length = String(length).length + Buffer.byteLength(rest);
  return `${length}${rest}`;
}

/** The entries, and the end of a tar. */
export function rawTar(...entries: readonly Buffer[]): Buffer {
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]);
}
