/** Tars, gzip and zstd streams that are broken, cut, or grow when they are read. */
import { gzipSync } from "node:zlib";
import {
  createTar,
  dockerArchive,
  toZstdFrame,
  zstdBlock,
  zstdHeader,
} from "@/lib/server/images/archive/test-archives";
import { HOSTILE_UPLOADS } from "./hostile-uploads";
import { asLayer, createRandom, type HostileCase, manifest, manifestText, patchHeader } from "./case";

const MIB = 1024 * 1024;
const layer = () => createTar([manifest(manifestText("1.1.0")), { name: "a", content: "x".repeat(5_000) }]);

const PAX: [string, string][] = [
  ["a length of 0", "0 path=x\n"],
  ["a length beyond the end", "9999 path=x\n"],
  ["a length that is no number", "abc path=x\n"],
  ["a negative length", "-9 path=x\n"],
  ["no key", "5 =x\n"],
  ["no equals sign", "7 path\n"],
  ["a path with a NUL", "11 path=a\0\n"],
  ["a negative size", "11 size=-1\n"],
  ["a size in hexadecimal", "13 size=0x10\n"],
  ["a size of 10²⁰", "30 size=100000000000000000000\n"],
  ["a sparse file", "22 GNU.sparse.major=1\n"],
  ["a sparse map", "22 GNU.sparse.map=0,1\n"],
];

export function listStreamCases(seed: number): HostileCase[] {
  return [
    ...PAX.flatMap(([what, records]) => asLayer(`pax: ${what}`, "LAYER_BROKEN", () => withPax(records))),
    ...PAX.map(([what, records]) =>
      whole(`archive with pax: ${what}`, "ARCHIVE_BROKEN", () => withPax(records)),
    ),
    ...listFramingCases(seed),
    ...listCompressionCases(seed),
    ...listCounts(),
  ];
}

function listFramingCases(seed: number): HostileCase[] {
  const random = createRandom(seed);
  const patched = (field: number, value: string | Buffer) => async () =>
    patchHeader(await layer(), 0, field, value);
  const tars: [string, () => Promise<Buffer>][] = [
    ["a sparse file", patched(156, "S")],
    ["a size that is not octal", patched(124, "99999999999\0")],
    ["a size of 2⁶³", patched(124, Buffer.from([0x80, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]))],
    ["a negative size", patched(124, Buffer.alloc(12, 0xff))],
    ["a size beyond the end", patched(124, "77777777777\0")],
    ["an extension of 2 MiB", async () => patchHeader(await patched(156, "x")(), 0, 124, "00010000000\0")],
    ["an extension that is cut", patched(156, "x")],
    [
      "a wrong checksum",
      async () => {
        const bytes = await layer();
        bytes[10] = 0x7a;
        return bytes;
      },
    ],
    [
      "an entry after one block of zeros",
      async () => Buffer.concat([(await layer()).subarray(0, -512), await layer()]),
    ],
    ["no tar", async () => Buffer.from("no tar at all, and longer than a block. ".repeat(40))],
    [
      "random bytes",
      async () => Buffer.from(Array.from({ length: 4_096 }, () => Math.floor(random() * 256))),
    ],
  ];
  const cuts = Array.from({ length: 6 }, () => 1_537 + Math.floor(random() * 4_900)).map(
    (at): [string, () => Promise<Buffer>] => [
      `cut after ${at} bytes`,
      async () => (await layer()).subarray(0, at),
    ],
  );
  return [
    ...[...tars, ...cuts].flatMap(([what, bytes]) => asLayer(`tar: ${what}`, "LAYER_BROKEN", bytes)),
    ...tars.map(([what, bytes]) => whole(`archive: ${what}`, "ARCHIVE_BROKEN", bytes)),
    whole("archive: empty", "NOT_AN_IMAGE", async () => Buffer.alloc(0)),
    whole("archive: text", "ARCHIVE_BROKEN", async () => Buffer.from("hello")),
  ];
}

function listCompressionCases(seed: number): HostileCase[] {
  const random = createRandom(seed + 1);
  const broken = (name: string, expected: string, store: (bytes: Buffer) => Buffer): HostileCase =>
    whole(name, expected, async () => {
      const bytes = await layer();
      return dockerArchive({ layers: [bytes], stored: [store(bytes)] });
    });
  const cut = (bytes: Buffer) => bytes.subarray(0, 20 + Math.floor(random() * (bytes.length - 30)));
  return [
    ...HOSTILE_UPLOADS.map(({ name, code, archive }) => whole(name, code, archive)),
    ...Array.from({ length: 4 }, (_, at) =>
      broken(`gzip layer, cut (${at})`, "LAYER_BROKEN", (bytes) => cut(gzipSync(bytes))),
    ),
    ...Array.from({ length: 4 }, (_, at) =>
      broken(`zstd layer, cut (${at})`, "LAYER_BROKEN", (bytes) => cut(toZstdFrame(bytes))),
    ),
    broken("gzip layer with data after its end", "LAYER_BROKEN", (bytes) =>
      Buffer.concat([gzipSync(bytes), Buffer.from("more")]),
    ),
    broken("gzip layer with a wrong checksum", "LAYER_BROKEN", (bytes) => {
      const packed = gzipSync(bytes);
      packed[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 0xff;
      return packed;
    }),
    broken("zstd layer with data after its end", "LAYER_BROKEN", (bytes) =>
      Buffer.concat([toZstdFrame(bytes), Buffer.from("more")]),
    ),
    broken("zstd layer with a block of 200,000 bytes", "LAYER_BROKEN", () =>
      Buffer.concat([zstdHeader(21), zstdBlock(0, 200_000, Buffer.alloc(200_000), true)]),
    ),
    ...[28, 29, 30, 31, 36, 41].flatMap((window) => [
      broken(`zstd window of 2^${window}`, "WINDOW_TOO_LARGE", (bytes) => toZstdFrame(bytes, window)),
      broken(`zstd window of 2^${window} in a second frame`, "WINDOW_TOO_LARGE", (bytes) =>
        Buffer.concat([toZstdFrame(bytes), toZstdFrame(bytes, window)]),
      ),
    ]),
    whole("gzip archive, cut", "ARCHIVE_BROKEN", async () =>
      gzipSync(await dockerArchive({ layers: [await layer()] })).subarray(0, 200),
    ),
    {
      ...whole("gzip archive that grows 1000 times", "DECOMPRESSION_BOMB", async () =>
        gzipSync(Buffer.concat([await layer(), Buffer.alloc(100 * MIB)])),
      ),
      isSlow: true,
    },
    {
      ...broken("gzip layer that grows 1000 times", "DECOMPRESSION_BOMB", (bytes) =>
        gzipSync(Buffer.concat([bytes, Buffer.alloc(100 * MIB)])),
      ),
      isSlow: true,
    },
  ];
}

function listCounts(): HostileCase[] {
  const empty = createTar([]);
  const stacked = (count: number) => async () =>
    dockerArchive({ layers: [await layer(), ...(await Promise.all(Array(count - 1).fill(empty)))] });
  return [
    whole("126 layers", "TOO_MANY_LAYERS", stacked(126)),
    { ...whole("9,000 layers", "TOO_MANY_LAYERS", stacked(9_000)), isSlow: true },
    whole("20,001 files in the archive", "TOO_MANY_ENTRIES", () => manyEntries(20_001)),
    {
      ...whole("500,001 files in a layer", "TOO_MANY_ENTRIES", async () =>
        dockerArchive({ layers: [await manyEntries(500_001)] }),
      ),
      isSlow: true,
    },
  ];
}

/** Empty files, each with a name of its own. */
async function manyEntries(count: number): Promise<Buffer> {
  const header = (await createTar([{ name: "e0000000" }])).subarray(0, 512);
  const bytes = Buffer.alloc((count + 2) * 512);
  const sum = Number.parseInt(header.toString("latin1", 148, 154), 8);
  for (let at = 0; at < count; at += 1) {
    const digits = String(at).padStart(7, "0");
    header.copy(bytes, at * 512);
    bytes.write(digits, at * 512 + 1, "latin1");
    const total = [...digits].reduce((all, digit) => all + Number(digit), sum);
    bytes.write(total.toString(8).padStart(6, "0"), at * 512 + 148, "latin1");
  }
  return bytes;
}

async function withPax(records: string): Promise<Buffer> {
  const bytes = await createTar([{ name: "pax", content: records }, manifest(manifestText("1.1.0"))]);
  return patchHeader(bytes, 0, 156, "x");
}

const whole = (name: string, expected: string, archive: () => Promise<Buffer>): HostileCase => ({
  name,
  expected,
  archive,
});
