import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import tar from "tar-stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Problem } from "@/lib/contract/problem";
import { readEnvironment, type Environment } from "../platform/environment";
import { newMasterKey } from "../platform/keyring";
import { archivePath, createIncomingFolder, keepArchive, removeIncomingFolder } from "./bundle-store";
import { receiveBundle } from "./receive-bundle";
import {
  toDigest,
  dockerArchive,
  createConfig,
  ociArchive,
  createTar,
  type ImageParts,
  type Item,
} from "./test-archives";
import { writeArchive } from "./write-archive";

const MANIFEST = "platform-app.json";
let environment: Environment;

beforeAll(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "bundles-"));
  environment = readEnvironment({
    NODE_ENV: "test",
    DATABASE_URL: "postgres://unused",
    PLATFORM_MASTER_KEYS: newMasterKey("test"),
    PLATFORM_DATA_DIR: dataDir,
  });
});

afterAll(() => rm(environment.dataDir, { recursive: true, force: true }));

/** The manifest's text, and the digests of the image and of its normalized archive. */
async function receive(archive: Buffer | Readable, isKept = false) {
  const stream = Buffer.isBuffer(archive) ? Readable.from([archive]) : archive;
  const folder = await createIncomingFolder(environment);
  try {
    const bundle = await receiveBundle(stream, folder);
    const file = path.join(folder, "normalized");
    const { archiveDigest } = await writeArchive(bundle, file);
    if (isKept) await keepArchive(environment, file, archiveDigest);
    return { manifestText: bundle.manifestText, imageDigest: bundle.image.digest, archiveDigest };
  } finally {
    await removeIncomingFolder(folder);
  }
}

async function readIssueCode(archive: Buffer | Readable): Promise<string> {
  const refusal: unknown = await receive(archive).catch((error: unknown) => error);
  if (!(refusal instanceof Problem))
    throw new Error(`not refused: ${JSON.stringify(refusal)} ${String(refusal)}`);
  expect(await readdir(path.join(environment.dataDir, "bundles")), "files were left behind").toEqual([]);
  return refusal.issues[0]?.code ?? refusal.code;
}

const image = async (...layers: Item[][]): Promise<ImageParts> => ({
  layers: await Promise.all(layers.map(createTar)),
});
const text = (content: string): Item => ({ name: MANIFEST, content });
const docker = async (...layers: Item[][]) => dockerArchive(await image(...layers));

describe("an accepted archive", () => {
  test("gives the same image as a docker archive or an OCI layout, gzipped as a whole or not", async () => {
    const parts = await image([text("{}")]);
    const digest = toDigest(createConfig(parts));
    const gzipped = { ...parts, stored: parts.layers.map((layer) => gzipSync(layer)) };
    for (const archive of [
      await dockerArchive(parts),
      await dockerArchive(gzipped),
      await ociArchive([parts]),
    ]) {
      expect(await receive(archive)).toMatchObject({ manifestText: "{}", imageDigest: digest });
      expect(await receive(gzipSync(archive))).toMatchObject({ imageDigest: digest });
    }
  });

  test("is normalized independently of the image's name, and the result is accepted again", async () => {
    const parts = await image([text("{}")], [{ name: "server.js", content: "x".repeat(100_000) }]);
    const first = await receive(await dockerArchive(parts));
    const renamed = await receive(await dockerArchive(parts, [{ name: "repositories", content: "{}" }]));
    expect(renamed.archiveDigest).toBe(first.archiveDigest);
    const kept = await receive(await dockerArchive(parts), true);
    const file = archivePath(environment, kept.archiveDigest);
    expect(await receive(createReadStream(file))).toEqual(first);
    await rm(file);
  });

  test("may contain a multi-platform index: the linux/amd64 image is taken", async () => {
    const [one, other] = [await image([text('{"a":1}')]), await image([text('{"b":1}')])];
    const archive = await ociArchive([{ ...one, architecture: "arm64" }, other]);
    expect(await receive(archive)).toMatchObject({ manifestText: '{"b":1}' });
  });

  test("may contain a repeated layer as a link to the first, as older engines write it", async () => {
    const hex = "a".repeat(64);
    const parts = await image([text("{}")], []);
    const [first, second] = parts.layers;
    const entries = await readEntries(
      await dockerArchive({ layers: [first, second, second].filter(Buffer.isBuffer) }),
    );
    const linked = entries.map((item): Item => {
      if (item.name === "1/layer.tar") return { ...item, name: `${hex}/layer.tar` };
      if (item.name === "2/layer.tar")
        return { name: item.name, type: "symlink", linkname: `../${hex}/layer.tar` };
      const content = item.content.toString().replace('"1/layer.tar"', `"${hex}/layer.tar"`);
      return item.name === "manifest.json" ? { ...item, content } : item;
    });
    expect(await receive(await createTar(linked))).toMatchObject({ manifestText: "{}" });
  });

  test("may have zstd layers, which are stored unpacked for engines that can't read them", async () => {
    const layer = await createTar([text("{}")]);
    const stored = [toZstdFrame(layer)];
    const plain = await receive(await dockerArchive({ layers: [layer] }));
    expect(await receive(await dockerArchive({ layers: [layer], stored }))).toEqual(plain);
  });
});

describe("the manifest is the one in the union of the layers", () => {
  test("the top layer wins", async () => {
    expect(await receive(await docker([text("1")], [{ name: `./${MANIFEST}`, content: "2" }]))).toMatchObject(
      { manifestText: "2" },
    );
  });

  test("a whiteout and an opaque whiteout hide lower layers, not their own", async () => {
    for (const name of [`.wh.${MANIFEST}`, ".wh..wh..opq"]) {
      expect(await readIssueCode(await docker([text("1")], [{ name }]))).toBe("MANIFEST_MISSING");
      expect(await receive(await docker([text("1")], [text("2"), { name }]))).toMatchObject({
        manifestText: "2",
      });
    }
  });

  test("a link, folder or device with this name is refused, unless a later layer replaces it", async () => {
    const types: Item[] = [
      { name: MANIFEST, type: "symlink", linkname: "/etc/passwd" },
      { name: MANIFEST, type: "link", linkname: "other.json" },
      { name: MANIFEST, type: "directory" },
      { name: MANIFEST, type: "character-device" },
    ];
    for (const item of types) {
      expect(await readIssueCode(await docker([text("1")], [item]))).toBe("MANIFEST_NOT_A_FILE");
      expect(await receive(await docker([item], [text("2")]))).toMatchObject({ manifestText: "2" });
    }
  });

  test.each<[string, Item[]]>([
    ["MANIFEST_MISSING", [{ name: `app/${MANIFEST}`, content: "{}" }]],
    ["MANIFEST_TWICE", [text("1"), text("2")]],
    ["MANIFEST_TWICE", [text("1"), { name: `./${MANIFEST}`, content: "2" }]],
    ["MANIFEST_TOO_LARGE", [text(" ".repeat(1024 * 1024 + 1))]],
    ["MANIFEST_NOT_UTF8", [{ name: MANIFEST, content: Buffer.from([0x22, 0xff, 0x22]) }]],
    ["UNSAFE_PATH", [text("{}"), { name: "../etc/cron.d/x", content: "x" }]],
    ["UNSAFE_PATH", [text("{}"), { name: "/etc/passwd", content: "x" }]],
    [
      "UNSAFE_PATH",
      [
        { name: "here", type: "symlink", linkname: "/" },
        { name: `here/${MANIFEST}`, content: "{}" },
      ],
    ],
  ])("%s", async (code, items) => {
    expect(await readIssueCode(await docker(items))).toBe(code);
  });
});

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

  test("ten thousand layers, and a layer of 600,000 entries", async () => {
    const empty = await createTar([]);
    expect(
      await readIssueCode(await dockerArchive({ layers: Array.from({ length: 9_000 }, () => empty) })),
    ).toBe("TOO_MANY_LAYERS");
    const entry = (await createTar([{ name: "e" }])).subarray(0, 512);
    const many = Buffer.alloc(600_000 * 512);
    for (let at = 0; at < many.length; at += 512) entry.copy(many, at);
    const archive = await dockerArchive({ layers: [many] });
    const start = Date.now();
    expect(await readIssueCode(archive)).toBe("TOO_MANY_ENTRIES");
    expect(Date.now() - start).toBeLessThan(30_000);
  }, 60_000);
});

async function readEntries(archive: Buffer): Promise<{ name: string; content: Buffer }[]> {
  const extract = tar.extract();
  extract.end(archive);
  const items: { name: string; content: Buffer }[] = [];
  for await (const entry of extract)
    items.push({ name: entry.header.name, content: await buffer(Readable.from(entry)) });
  return items;
}

/** A zstd frame of raw blocks (RFC 8878): Node 20 cannot compress one. */
function toZstdFrame(bytes: Buffer): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const blocks: Buffer[] = [];
  const size = 100_000;
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    const last = at + size >= bytes.length ? 1 : 0;
    const block = Buffer.alloc(3);
    block.writeUIntLE((part.length << 3) | last, 0, 3);
    blocks.push(block, part);
  }
  return Buffer.concat([head, ...blocks]);
}
