/** The rules of the tar reader one by one. `tests/hostile-images/go-reader.test.ts` compares it with the one that engines use. */
import { describe, expect, test } from "vitest";
import { pax, rawEntry, type RawHeader, rawTar } from "@/tests/hostile-images/raw-entry";
import { type TarEntry, TarScanner } from "./tar-scanner";

const GNU = "ustar  \0";
const V7 = "\0\0\0\0\0\0\0\0";

function scan(...entries: readonly Buffer[]): TarEntry[] {
  const found: TarEntry[] = [];
  const scanner = new TarScanner((entry) => void found.push(entry));
  scanner.push(rawTar(...entries));
  scanner.end();
  return found;
}

/** "accepted", or why it is refused. */
function judge(...entries: readonly Buffer[]): string {
  try {
    scan(...entries);
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const header = (more: Partial<RawHeader> = {}) => rawEntry({ name: "app.json", content: "{}", ...more });
const long = (type: "L" | "K", text: string) =>
  rawEntry({ name: "././@LongLink", type, content: text, magic: GNU });

/** In two's complement, after the byte that says so. */
function binary(length: number, value: bigint): Buffer {
  const hex = BigInt.asUintN(8 * length, value).toString(16);
  const bytes = Buffer.from(hex.padStart(2 * length, "0"), "hex");
  bytes[0] = value < 0n ? 0xff : 0x80;
  return bytes;
}

describe("numbers", () => {
  // Guarantee: the name of an entry doesn't depend on whether a reader takes GNU's times for a prefix.
  test("a time of GNU's format that doesn't fit into 64 bits is refused: Go reads such a header as 1/platform-app.json", () => {
    const changed = Buffer.from([0x80, ...Array.from({ length: 11 }, () => 0xff)]);
    const fields = { 345: "1\0", 357: changed };
    expect(judge(rawEntry({ name: "platform-app.json", magic: GNU, fields }))).toBe(
      "platform-app.json has an invalid change time in its header",
    );
  });

  const FIELDS: [what: string, start: number, length: number, magic: string][] = [
    ["mode", 100, 8, "ustar\x0000"],
    ["owner", 108, 8, "ustar\x0000"],
    ["group", 116, 8, V7],
    ["size", 124, 12, "ustar\x0000"],
    ["time", 136, 12, V7],
    ["device", 329, 8, "ustar\x0000"],
    ["device", 337, 8, GNU],
    ["access time", 345, 12, GNU],
    ["change time", 357, 12, GNU],
  ];

  test.each(FIELDS)(
    "%s at %i: what readers can't parse, or only some of them, is refused",
    (what, start, length, magic) => {
      const withValue = (value: string | Buffer) => judge(header({ magic, fields: { [start]: value } }));
      const tooLong = Buffer.alloc(length, 0xff);
      tooLong[0] = 0x80;
      const values = [
        ...["zz", "8", "-1", "+1", "0x1", "1 2", "1\x002", "\x001", " \x001", "1_0", "\u00e9"],
        ...[0x81, 0xbf, 0xc0, 0xfe].map((first) => Buffer.from([first])),
        ...(length === 12 ? [tooLong, binary(12, 1n << 63n), binary(12, -(1n << 63n) - 1n)] : []),
        ...(what.endsWith("time") ? [] : [binary(length, -1n), binary(length, 1n << 54n)]),
      ];
      for (const value of values) {
        const field = Buffer.alloc(length);
        Buffer.from(value).copy(field);
        expect(withValue(field), JSON.stringify(value)).toBe(`app.json has an invalid ${what} in its header`);
      }
      const sizes = ["2", " 2", "0000002", "000002 ", "2 \0", "  2\0 "];
      const fine =
        what === "size" ? [...sizes, binary(length, 2n)] : [...sizes, "", "       ", binary(length, 5n)];
      for (const value of fine) {
        const field = Buffer.alloc(length);
        Buffer.from(value).copy(field);
        expect(withValue(field), JSON.stringify(value)).toBe("accepted");
      }
    },
  );

  test("times before 1970 are accepted", () => {
    expect(judge(header({ fields: { 136: binary(12, -86_400n) } }))).toBe("accepted");
    expect(judge(pax({ mtime: "-86400.5" }), header())).toBe("accepted");
  });

  test("a checksum is octal and of unsigned bytes", () => {
    const message = "a header has a wrong checksum";
    expect(judge(header({ checksum: "binary" }))).toBe(message);
    expect(judge(header({ name: "\u00e9", checksum: "signed" }))).toBe(message);
    expect(judge(header({ checksum: "spaces" }))).toBe("accepted");
  });
});

describe("formats", () => {
  test.each([
    ["ustar", { magic: "ustar\x0000", prefix: "d" }, "d/app.json"],
    ["GNU, which has no prefix", { magic: GNU, fields: { 369: "d" } }, "app.json"],
    ["V7", { magic: V7 }, "app.json"],
  ] as const)("%s", (_what, more, name) => {
    expect(scan(header(more))).toMatchObject([{ name, type: "file", size: 2 }]);
  });

  test.each([
    ["a version of ustar that isn't 00", { magic: "ustar\x0011" }],
    ["no version", { magic: "ustar\0\0\0" }],
    ["half of each magic", { magic: "ustar 00" }],
    ["an unknown magic", { magic: "USTAR\x0000" }],
    ["star, whose prefix is shorter", { fields: { 508: "tar\0" } }],
    ["V7 with a prefix", { magic: V7, prefix: "d" }],
  ] as const)("%s is refused", (_what, more) => {
    expect(judge(header(more))).toBe("app.json has a header of an unknown format");
  });
});

describe("entries that engines read differently, or can't create", () => {
  test.each<[what: string, entry: RawHeader, message: RegExp]>([
    [
      "a file whose name ends in a slash",
      { name: "a/", content: "x" },
      /^a\/ is a file whose name ends in a slash/,
    ],
    ["an empty one", { name: "a//" }, /^a\/\/ is a file whose name ends in a slash/],
    ["an old folder with content", { name: "a/", type: "\0", content: "x" }, /^a\/ has content/],
    ["a folder with content", { name: "a", type: "5", content: "x" }, /^a has content/],
    ["a link with content", { name: "a", type: "2", link: "b", content: "x" }, /^a has content/],
    ["a link to nothing", { name: "a", type: "2" }, /^a is a link to nothing/],
    ["a hard link to nothing", { name: "a", type: "1" }, /^a is a link to nothing/],
    ["a contiguous file", { name: "a", type: "7" }, /^a is of the type "7"/],
    ...["A", "D", "M", "N", "V", "X", "9", "l"].map((type): [string, RawHeader, RegExp] => [
      `the vendor's type ${type}`,
      { name: "a", type },
      new RegExp(`^a is of the type "${type}"`),
    ]),
    ["a sparse file", { name: "a", type: "S", magic: GNU }, /^a is a sparse file/],
    ["no name", { name: "" }, /no name/],
    ["a device that marks a removed file", { name: "a", type: "3" }, /^a is a device that engines take for/],
    [
      "one in a format without devices",
      { name: "a", type: "3", magic: V7 },
      /^a is a device that engines take for/,
    ],
    [
      "a first name that begins like gzip",
      { name: Buffer.from([0x1f, 0x8b, 8]) },
      /take for a compressed file/,
    ],
    ["like bzip2", { name: "BZh9" }, /^it begins with BZh9, .* take for a compressed file/],
    ["like xz", { name: Buffer.from("\u00fd7zXZ", "latin1") }, /take for a compressed file/],
    ["like a frame of Zstandard that is skipped", { name: "P*M\x18" }, /take for a compressed file/],
  ])("%s is refused", (_what, entry, message) => {
    expect(judge(rawEntry(entry))).toMatch(message);
  });

  test("names of 255 bytes and paths below 4,096 are accepted, longer ones are not", () => {
    const path = (bytes: number) => `${"d/".repeat(bytes)}`.slice(0, bytes - 1) + "f";
    expect(judge(pax({ path: "n".repeat(255) }), header())).toBe("accepted");
    expect(judge(pax({ path: "n".repeat(256) }), header())).toContain("name of more than 255 bytes");
    expect(judge(pax({ path: path(4_095) }), header())).toBe("accepted");
    expect(judge(pax({ path: path(4_096) }), header())).toContain("path of 4,096 bytes");
    expect(judge(pax({ linkpath: path(4_096) }), header({ type: "2", content: "" }))).toContain(
      "4,096 bytes",
    );
  });

  test("a name like a compressed file's is fine for an entry that isn't the first, and so are other devices", () => {
    expect(judge(header(), rawEntry({ name: "BZh9" }))).toBe("accepted");
    expect(judge(rawEntry({ name: "null", type: "3", fields: { 329: "0000001\0", 337: "0000003\0" } }))).toBe(
      "accepted",
    );
  });

  test("an old file is a folder if its name ends in a slash", () => {
    expect(scan(rawEntry({ name: "a/", type: "\0" }), rawEntry({ name: "b", type: "\0" }))).toMatchObject([
      { name: "a/", type: "directory" },
      { name: "b", type: "file" },
    ]);
  });
});

describe("headers that say more about the next entry", () => {
  const file = header();
  const named = (name: string) => expect.objectContaining({ name });

  test("a pax path, a long name, and a long name with a long link", () => {
    expect(scan(pax({ path: "p" }), file, file)).toEqual([named("p"), named("app.json")]);
    expect(scan(long("L", "n\0"), file, file)).toEqual([named("n"), named("app.json")]);
    const link = rawEntry({ name: "x", type: "2", link: "y", magic: GNU });
    for (const order of [
      ["K", "L"],
      ["L", "K"],
    ] as const)
      expect(scan(...order.map((type) => long(type, `${type}\0`)), link)).toMatchObject([
        { name: "L", linkName: "K" },
      ]);
  });

  test.each<[string, Buffer[]]>([
    ["a long name, then a pax path", [long("L", "a\0"), pax({ path: "b" })]],
    ["a pax path, then a long name", [pax({ path: "b" }), long("L", "a\0")]],
    ["two long names", [long("L", "a\0"), long("L", "b\0")]],
    ["two pax headers", [pax({ path: "a" }), pax({ mtime: "1" })]],
    ["a global header between", [pax({ path: "a" }), pax({ comment: "g" }, "g")]],
    ["a global header after a long name", [long("L", "a\0"), pax({ comment: "g" }, "g")]],
  ])("%s: refused", (_what, extensions) => {
    expect(judge(...extensions, file)).toMatch(/several extended headers precede one entry/);
  });

  test.each<[string, Buffer[], RegExp]>([
    ["an empty long name", [long("L", "\0")], /an empty path/],
    ["a long name with two parts", [long("L", "a\0b\0")], /NUL/],
    ["a header without its entry", [], /truncated/],
    ...["path", "linkpath", "size", "GNU.sparse.name"].map((key): [string, Buffer[], RegExp] => [
      `a global ${key}`,
      [pax({ [key]: "1" }, "g")],
      /global header sets/,
    ]),
  ])("%s is refused", (_what, extensions, message) => {
    expect(judge(...(extensions.length === 0 ? [pax({ path: "a" })] : [...extensions, file]))).toMatch(
      message,
    );
  });

  test("a global header is an entry of its own name, because some engines take it for one", () => {
    expect(scan(pax({ comment: "g" }, "g", "pax_global_header"), file)).toMatchObject([
      { name: "pax_global_header", type: "global", size: 0 },
      { name: "app.json" },
    ]);
  });
});

describe("records of a pax header", () => {
  const capability = "\x01\0\0\x02".padEnd(20, "\0");

  test.each<[key: string, value: string]>([
    ...["", "-1", "+1", "0x1", "1.5", "9".repeat(17), "9".repeat(19), "1 "].map(
      (value) => ["size", value] as [string, string],
    ),
    ...["-1", "4294967296", "9".repeat(20), "", "1.0"].flatMap((value) => [
      ["uid", value] as [string, string],
      ["gid", value] as [string, string],
    ]),
    ...["", "-", ".5", "1e3", "9".repeat(19), "1.x", "+1"].flatMap((value) =>
      ["mtime", "atime", "ctime"].map((key) => [key, value] as [string, string]),
    ),
    ["path", ""],
    ["path", "a\0b"],
    ["linkpath", "a\0"],
    ["uname", "a\0"],
    ["SCHILY.xattr.trusted.overlay.opaque", "y"],
    ["SCHILY.xattr.trusted.overlay.metacopy", ""],
    ["SCHILY.xattr.user.overlay.opaque", "y"],
    ["SCHILY.xattr.system.posix_acl_access", "x"],
    ["SCHILY.xattr.user.", "x"],
    ["SCHILY.xattr.", "x"],
    ["SCHILY.xattr.nonsense", "x"],
    [`SCHILY.xattr.user.${"n".repeat(251)}`, "x"],
    ["SCHILY.xattr.security.capability", ""],
    ["SCHILY.xattr.security.capability", capability.slice(1)],
    ["SCHILY.xattr.security.capability", "\x03\0\0\x02".padEnd(20, "\0")],
    ["SCHILY.xattr.security.capability", "\x01\0\0\x02".padEnd(24, "\0")],
  ])("%s %j is refused", (key, value) => {
    expect(judge(pax({ [key]: value }), header())).toMatch(/^a pax header has an invalid /);
  });

  test.each<[key: string, value: string]>([
    ["size", "0000000002"],
    ["uid", "4294967294"],
    ["mtime", "1700000000.123456789012"],
    ["mtime", "1."],
    ["atime", "-1"],
    ["path", "b"],
    ["comment", ""],
    ["LIBARCHIVE.creationtime", "1"],
    ["SCHILY.xattr.security.capability", capability],
    ["SCHILY.xattr.security.capability", "\x01\0\0\x03".padEnd(24, "\0")],
    ["SCHILY.xattr.user.note", "anything \0 at all"],
    ["SCHILY.xattr.security.selinux", "system_u:object_r:container_file_t:s0\0"],
  ])("%s %j is accepted", (key, value) => {
    expect(judge(pax({ [key]: value }), header())).toBe("accepted");
  });

  test("more extended attributes than file systems keep, and the same key twice, are refused", () => {
    const attributes = { "SCHILY.xattr.user.a": "a".repeat(2_000), "SCHILY.xattr.user.b": "b".repeat(2_000) };
    expect(judge(pax(attributes), header())).toMatch(/more extended attributes/);
    const twice = rawEntry({ name: "pax", type: "x", content: "9 path=a\n".repeat(2) });
    expect(judge(twice, header())).toMatch(/more than one path/);
  });
});
