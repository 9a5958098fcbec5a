import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { cpuTime } from "@/tests/cpu-time";
import { HOSTILE_UPLOADS } from "@/tests/hostile-images/hostile-uploads";
import { docker, image, readEntries, testBundles, text } from "@/tests/received-bundles";
import {
  createTar,
  dockerArchive,
  type Item,
  ociArchive,
  toDigest,
  toZstdFrame,
  zstdBlock,
  zstdHeader,
} from "./test-archives";

const { receive, readIssueCode } = await testBundles();

/** What `zstd -19 --long=27` makes of the tar in the test that uses it, with a checksum. */
const COMPRESSED = Buffer.from(
  "KLUv/aQAngQAfAMAosQPEZB9Q8AGyq3MzE4e0ToYWxQt4WZ2vU1n0kFfyBj1fxRZYOsHdV2LwQMv6BTy/l78nPT/QE77BqVLxDrbXZAGESAANS1sNe75" +
    "Iq9jqs+yO4CwAUpB5OqrDslQACYE+C0ZIPkwWYhwAAKMR10YRAAAAAEA/f+STyB9AAAAA0AAH0C1H34JUrszOgiKFPiZ",
  "base64",
);

describe("hostile archives are refused with a stable code and leave nothing behind", () => {
  test("not an archive, a truncated archive, and an archive without an image", async () => {
    expect(await readIssueCode(Buffer.from("hello"))).toBe("ARCHIVE_BROKEN");
    expect(await readIssueCode(Buffer.alloc(0))).toBe("NOT_AN_IMAGE");
    expect(await readIssueCode(await createTar([{ name: "readme.txt", content: "hello" }]))).toBe(
      "NOT_AN_IMAGE",
    );
    const whole = await docker([text("{}"), { name: "a", content: "x".repeat(5000) }]);
    expect(await readIssueCode(whole.subarray(0, whole.length - 3000))).toMatch(
      /ARCHIVE_BROKEN|NOT_AN_IMAGE/,
    );
    expect(await readIssueCode(gzipSync(whole).subarray(0, 200))).toBe("ARCHIVE_BROKEN");
  });

  test("an interrupted upload", async () => {
    const whole = await docker([text("{}")]);
    async function* interrupted() {
      yield whole.subarray(0, whole.length - 10);
      throw new Error("aborted");
    }
    expect(await readIssueCode(Readable.from(interrupted()))).toBe("ARCHIVE_BROKEN");
  });

  test("another architecture, with what to do", async () => {
    const parts = await image([text("{}")]);
    for (const archive of [
      await dockerArchive({ ...parts, architecture: "arm64" }),
      await ociArchive([{ ...parts, architecture: "arm64" }]),
    ]) {
      const refusal = receive(archive);
      await expect(refusal).rejects.toMatchObject({
        code: "BAD_BUNDLE",
        issues: [{ code: "WRONG_ARCHITECTURE" }],
      });
      await expect(refusal).rejects.toThrow(/linux\/arm64.*docker build --platform linux\/amd64/);
    }
  });

  test("several images, and an index that disagrees with the manifest", async () => {
    const [one, other] = [await image([text("1")]), await image([text("2")])];
    expect(await readIssueCode(await ociArchive([one, other]))).toBe("SEVERAL_IMAGES");
    const index = JSON.stringify({ schemaVersion: 2, manifests: [] });
    expect(await readIssueCode(await dockerArchive(one, [{ name: "index.json", content: index }]))).toBe(
      "NOT_AN_IMAGE",
    );
    const two = [
      ...(await readEntries(await dockerArchive(one))),
      ...(await readEntries(await ociArchive([other]))),
    ];
    expect(await readIssueCode(await createTar(two))).toBe("INDEX_DISAGREES");
  });

  test("wrong digests, missing blobs, repeated names, and links", async () => {
    const parts = await image([text("{}")]);
    expect(
      await readIssueCode(await dockerArchive({ ...parts, diffIds: [toDigest(Buffer.from("x"))] })),
    ).toBe("WRONG_DIGEST");
    expect(await readIssueCode(await dockerArchive({ ...parts, diffIds: [] }))).toBe("WRONG_DIGEST");
    const oci = await readEntries(await ociArchive([parts]));
    const changed = oci.map((item) =>
      item.name.startsWith("blobs/") ? { ...item, content: Buffer.alloc(item.content.length, 1) } : item,
    );
    expect(await readIssueCode(await createTar(changed))).toBe("WRONG_DIGEST");
    const entries = await readEntries(await dockerArchive(parts));
    expect(await readIssueCode(await createTar(entries.filter(({ name }) => name !== "0/layer.tar")))).toBe(
      "BLOB_MISSING",
    );
    expect(await readIssueCode(await createTar([...entries, ...entries]))).toBe("UNSAFE_PATH");
    const link: Item = { name: "0/layer.tar", type: "symlink", linkname: "../../etc/passwd" };
    expect(
      await readIssueCode(await createTar([...entries.filter(({ name }) => name !== "0/layer.tar"), link])),
    ).toBe("UNSAFE_PATH");
    const manifest = JSON.stringify([{ Config: "../../etc/passwd", Layers: [] }]);
    expect(await readIssueCode(await createTar([{ name: "manifest.json", content: manifest }]))).toBe(
      "UNSAFE_PATH",
    );
  });

  test("bombs, data after the end of gzip, and truncated layers", async () => {
    const zeros = Buffer.concat([await createTar([text("{}")]), Buffer.alloc(100 * 1024 * 1024)]);
    expect(await readIssueCode(await dockerArchive({ layers: [zeros], stored: [gzipSync(zeros)] }))).toBe(
      "DECOMPRESSION_BOMB",
    );
    expect(await readIssueCode(gzipSync(zeros))).toBe("DECOMPRESSION_BOMB");
    const layer = await createTar([text("{}"), { name: "a", content: "x".repeat(5000) }]);
    const stored = (bytes: Buffer) => dockerArchive({ layers: [layer], stored: [bytes] });
    expect(await readIssueCode(await stored(Buffer.concat([gzipSync(layer), Buffer.from("more")])))).toBe(
      "LAYER_BROKEN",
    );
    expect(await readIssueCode(await stored(gzipSync(layer).subarray(0, -20)))).toBe("LAYER_BROKEN");
    expect(await readIssueCode(await stored(layer.subarray(0, 2000)))).toBe("LAYER_BROKEN");
    expect(
      await readIssueCode(await stored(Buffer.from("no tar at all, and longer than a block".repeat(20)))),
    ).toBe("LAYER_BROKEN");
  });
});

// Guarantee (P6): small archives can't make the platform work or store much.
test.each(HOSTILE_UPLOADS)(
  "$name is refused as $code after at most 5 s of work",
  async ({ archive, code }) => {
    const bytes = await archive();
    expect(bytes.length).toBeLessThan(256 * 1024);
    const spent = await cpuTime(async () => expect(await readIssueCode(bytes)).toBe(code));
    expect(spent).toBeLessThan(5_000);
  },
);

// Guarantee: engines can read the header of what is accepted, wherever the upload was cut into chunks.
test("names of up to 511 bytes are accepted in a gzip header, longer ones are not", async () => {
  const layer = await createTar([text("{}")]);
  const packed = gzipSync(layer);
  const stored = (flags: number, ...fields: string[]) => {
    const head = Buffer.from(packed.subarray(0, 10));
    head[3] = flags;
    return dockerArchive({
      layers: [layer],
      stored: [Buffer.concat([head, Buffer.from(fields.join("")), packed.subarray(10)])],
    });
  };
  const name = (bytes: number) => `${"n".repeat(bytes)}\0`;
  const extra = `\x04\0${"n\0n\0"}`;
  for (const archive of [stored(8, name(511)), stored(28, extra, name(511), name(0)), stored(16, name(3))])
    expect(await receive(await archive)).toMatchObject({ manifestText: "{}" });
  for (const archive of [
    stored(8, name(512)),
    stored(28, extra, name(1), name(512)),
    stored(16, name(100_000)),
  ])
    expect(await readIssueCode(await archive)).toBe("LAYER_BROKEN");
});

describe("zstd", () => {
  const stored = async (frames: Buffer) =>
    dockerArchive({ layers: [await createTar([text("{}")])], stored: [frames] });
  const frame = async (window?: number) => toZstdFrame(await createTar([text("{}")]), window);

  test("windows of up to 128 MiB, and skippable frames, are read", async () => {
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    for (const frames of [
      await frame(24),
      await frame(27),
      Buffer.concat([skippable, await frame(), skippable]),
    ])
      expect(await receive(await stored(frames))).toMatchObject({ manifestText: "{}" });
  });

  test("frames of single headers and small files, as `zstd:chunked` writes them, are read", async () => {
    const files = Array.from({ length: 4_000 }, (_, at): Item => ({ name: `f${at}`, content: "x" }));
    const layer = await createTar([text("{}"), ...files]);
    const end = zstdBlock(0, 0, Buffer.alloc(0), true);
    const frames = Array.from({ length: layer.length / 512 }, (_, at) => {
      const part = layer.subarray(at * 512, (at + 1) * 512);
      return Buffer.concat([zstdHeader(21), zstdBlock(0, 512, part, false), end]);
    });
    const archive = await dockerArchive({ layers: [layer], stored: [Buffer.concat(frames)] });
    expect(await receive(archive)).toMatchObject({ manifestText: "{}" });
  });

  test("larger windows are refused in every frame", async () => {
    for (const frames of [await frame(28), Buffer.concat([await frame(), await frame(31)])])
      await expect(receive(await stored(frames))).rejects.toMatchObject({
        issues: [{ code: "WINDOW_TOO_LARGE", hint: expect.stringContaining("`zstd --long=27` or less") }],
      });
  });

  test("compressed blocks are read, and their checksum is compared", async () => {
    const lines: Item = { name: "a", content: "a line of text\n".repeat(20_000) };
    const archive = async (frames: Buffer) =>
      dockerArchive({ layers: [await createTar([text("{}"), lines])], stored: [frames] });
    expect(await receive(await archive(COMPRESSED))).toMatchObject({ manifestText: "{}" });
    const changed = Buffer.from(COMPRESSED);
    changed[changed.length - 1] = 0;
    expect(await readIssueCode(await archive(changed))).toBe("LAYER_BROKEN");
  });

  test("data after its end, truncated frames, malformed blocks and dictionaries are refused", async () => {
    const whole = await frame();
    const withDictionary = Buffer.from(whole.toString("hex").replace(/^(28b52ffd)../, "$101"), "hex");
    for (const frames of [
      Buffer.concat([whole, Buffer.from("more")]),
      whole.subarray(0, -5),
      whole.subarray(0, 5),
      Buffer.concat([zstdHeader(21), zstdBlock(0, 200_000, Buffer.alloc(200_000), true)]),
      Buffer.concat([zstdHeader(21), zstdBlock(2, 10, Buffer.alloc(10, 0xff), true)]),
      withDictionary,
    ])
      expect(await readIssueCode(await stored(frames))).toBe("LAYER_BROKEN");
  });
});

test("paths longer than Linux opens, and paths with a NUL character, are refused", async () => {
  const long: Item = { name: "x/".repeat(3000), content: "" };
  expect(await readIssueCode(await docker([text("{}"), long]))).toBe("LAYER_BROKEN");
  const withPax = async (records: string) => {
    const layer = await createTar([
      { name: "pax", content: records },
      { name: "x", content: "{}" },
    ]);
    layer.write("x", 156, "latin1");
    fixChecksum(layer);
    return dockerArchive({ layers: [layer] });
  };
  expect(await receive(await withPax("26 path=platform-app.json\n"))).toMatchObject({ manifestText: "{}" });
  expect(await readIssueCode(await withPax("29 path=platform-app.json\0xx\n"))).toBe("LAYER_BROKEN");
});

function fixChecksum(tarball: Buffer): void {
  tarball.fill(" ", 148, 156);
  const sum = tarball.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tarball.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
}
