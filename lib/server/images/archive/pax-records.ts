/** The records of a pax header, or why engines refuse them: a record that the system refuses is a layer that can't be unpacked. */
import { showPath } from "./tar-text";

const TIME = /^-?\d{1,18}(\.\d*)?$/;

/** What a record must look like. Engines refuse others; of an empty value, they take the one in the next header instead. */
const VALUES: Partial<Record<string, RegExp>> = {
  path: /^[^\0]+$/,
  linkpath: /^[^\0]+$/,
  size: /^\d{1,18}$/,
  uname: /^[^\0]*$/,
  gname: /^[^\0]*$/,
  mtime: TIME,
  atime: TIME,
  ctime: TIME,
};

/** As in a header. */
const MOST_ID = 2 ** 32 - 1;

/** Throws a plain Error. @returns values by key, both with one character for each byte */
export function readPax(body: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  let attributes = 0;
  let at = 0;
  while (at < body.length) {
    const space = body.indexOf(32, at);
    const digits = space < 0 ? "" : body.toString("latin1", at, space);
    const end = at + Number(digits);
    if (!/^[1-9]\d{0,9}$/.test(digits) || end > body.length || end <= space + 1 || body[end - 1] !== 10)
      throw new Error("a pax header is malformed");
    const record = body.toString("latin1", space + 1, end - 1);
    const equals = record.indexOf("=");
    const [key, value] = [record.slice(0, equals), record.slice(equals + 1)];
    if (equals < 1 || key.includes("\0")) throw new Error("a pax header is malformed");
    if (!isValid(key, value)) throw new Error(`a pax header has an invalid ${showPath(key)}`);
    if (records.has(key)) throw new Error(`a pax header has more than one ${showPath(key)}`);
    if (key.startsWith(ATTRIBUTE)) attributes += record.length;
    if (attributes > MOST_ATTRIBUTES)
      throw new Error("a pax header has more extended attributes than file systems can keep");
    records.set(key, value);
    at = end;
  }
  return records;
}

function isValid(key: string, value: string): boolean {
  if (key.startsWith(ATTRIBUTE)) return isAttribute(key.slice(ATTRIBUTE.length), value);
  if (key === "uid" || key === "gid") return /^\d{1,18}$/.test(value) && Number(value) <= MOST_ID;
  return VALUES[key]?.test(value) ?? true;
}

// Extended attributes. `trusted.overlay.*`, and `user.overlay.*` for engines without root, decide what a file system of layers shows.

const ATTRIBUTE = "SCHILY.xattr.";

/** Bytes of one entry: a block of a file system, less what it needs itself. */
const MOST_ATTRIBUTES = 3_500;

/** What builders write, in a form that Linux accepts. */
function isAttribute(name: string, value: string): boolean {
  if (name === "security.capability") return isCapability(Buffer.from(value, "latin1"));
  // Of a builder's machine; engines skip it where it means nothing.
  if (name === "security.selinux") return true;
  return (
    name.startsWith("user.") &&
    !name.startsWith("user.overlay.") &&
    name.length > "user.".length &&
    name.length <= 255
  );
}

/** `struct vfs_cap_data` of revision 2, or of revision 3, which has an owner. */
function isCapability(value: Buffer): boolean {
  if (value.length !== 20 && value.length !== 24) return false;
  const revision = value.readUInt32LE() & ~1;
  if (value.length === 20) return revision === 0x02000000;
  return revision === 0x03000000 && value.readUInt32LE(20) < MOST_ID;
}
