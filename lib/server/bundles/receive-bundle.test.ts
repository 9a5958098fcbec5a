import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Problem } from "@/lib/contract/problem";
import { readEnvironment, type Environment } from "../platform/environment";
import { newMasterKey } from "../platform/keyring";
import { archivePath, keepArchive } from "./bundle-store";
import { receiveBundle } from "./receive-bundle";
import {
  digestOf,
  dockerArchive,
  configOf,
  ociArchive,
  tarOf,
  type ImageParts,
  type Item,
} from "./test-archives";

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

/** What the receiver makes of it: the manifest's text and the image's digest. */
async function receive(archive: Buffer | Readable) {
  const stream = Buffer.isBuffer(archive) ? Readable.from([archive]) : archive;
  return receiveBundle(environment, stream, async ({ manifestText, imageDigest, write }) => ({
    manifestText,
    imageDigest,
    archiveDigest: (await write()).archiveDigest,
  }));
}

async function faultOf(archive: Buffer | Readable): Promise<string> {
  const refusal: unknown = await receive(archive).catch((error: unknown) => error);
  if (!(refusal instanceof Problem))
    throw new Error(`not refused: ${JSON.stringify(refusal)} ${String(refusal)}`);
  expect(await readdir(path.join(environment.dataDir, "bundles")), "something was left behind").toEqual([]);
  return refusal.issues[0]?.code ?? refusal.code;
}

const image = async (...layers: Item[][]): Promise<ImageParts> => ({
  layers: await Promise.all(layers.map(tarOf)),
});
const text = (content: string): Item => ({ name: MANIFEST, content });
const docker = async (...layers: Item[][]) => dockerArchive(await image(...layers));

describe("what is accepted", () => {
  test("docker archives and OCI layouts, gzipped as a whole or not, give the same image", async () => {
    const parts = await image([text("{}")]);
    const digest = digestOf(configOf(parts));
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

  test("the normalised archive is the same whatever the publisher called the image, and is accepted again", async () => {
    const parts = await image([text("{}")], [{ name: "server.js", content: "x".repeat(100_000) }]);
    const first = await receive(await dockerArchive(parts));
    const renamed = await receive(await dockerArchive(parts, [{ name: "repositories", content: "{}" }]));
    expect(renamed.archiveDigest).toBe(first.archiveDigest);
    const file = await receiveBundle(
      environment,
      Readable.from([await dockerArchive(parts)]),
      async (bundle) => {
        const written = await bundle.write();
        await keepArchive(environment, written.file, written.archiveDigest);
        return archivePath(environment, written.archiveDigest);
      },
    );
    const { createReadStream } = await import("node:fs");
    expect(await receive(createReadStream(file))).toEqual(first);
    await rm(file);
  });

  test("the linux/amd64 image is taken from a multi-platform index", async () => {
    const [one, other] = [await image([text('{"a":1}')]), await image([text('{"b":1}')])];
    const archive = await ociArchive([{ ...one, architecture: "arm64" }, other]);
    expect(await receive(archive)).toMatchObject({ manifestText: '{"b":1}' });
  });

  test("a layer that comes twice, which older engines write as a link to the first", async () => {
    const hex = "a".repeat(64);
    const parts = await image([text("{}")], []);
    const [first, second] = parts.layers;
    const entries = await entriesOf(
      await dockerArchive({ layers: [first, second, second].filter(Buffer.isBuffer) }),
    );
    const linked = entries.map((item): Item => {
      if (item.name === "1/layer.tar") return { ...item, name: `${hex}/layer.tar` };
      if (item.name === "2/layer.tar")
        return { name: item.name, type: "symlink", linkname: `../${hex}/layer.tar` };
      const content = item.content.toString().replace('"1/layer.tar"', `"${hex}/layer.tar"`);
      return item.name === "manifest.json" ? { ...item, content } : item;
    });
    expect(await receive(await tarOf(linked))).toMatchObject({ manifestText: "{}" });
  });

  test("zstd layers are read, and stored unpacked for engines that cannot", async () => {
    const layer = await tarOf([text("{}")]);
    const stored = [zstdStored(layer)];
    const plain = await receive(await dockerArchive({ layers: [layer] }));
    expect(await receive(await dockerArchive({ layers: [layer], stored }))).toEqual(plain);
  });
});

describe("the manifest is the one that the union of the layers shows", () => {
  test("the top layer wins", async () => {
    expect(await receive(await docker([text("1")], [{ name: `./${MANIFEST}`, content: "2" }]))).toMatchObject(
      { manifestText: "2" },
    );
  });

  test("a whiteout and an opaque whiteout hide what is below, not what is beside them", async () => {
    for (const name of [`.wh.${MANIFEST}`, ".wh..wh..opq"]) {
      expect(await faultOf(await docker([text("1")], [{ name }]))).toBe("MANIFEST_MISSING");
      expect(await receive(await docker([text("1")], [text("2"), { name }]))).toMatchObject({
        manifestText: "2",
      });
    }
  });

  test("a link, folder or device of that name is refused, unless a later layer replaces it", async () => {
    const types: Item[] = [
      { name: MANIFEST, type: "symlink", linkname: "/etc/passwd" },
      { name: MANIFEST, type: "link", linkname: "other.json" },
      { name: MANIFEST, type: "directory" },
      { name: MANIFEST, type: "character-device" },
    ];
    for (const item of types) {
      expect(await faultOf(await docker([text("1")], [item]))).toBe("MANIFEST_NOT_A_FILE");
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
    expect(await faultOf(await docker(items))).toBe(code);
  });
});

describe("hostile archives are refused by a stable code and leave nothing behind", () => {
  test("no archive, a cut one, and one that is no image", async () => {
    expect(await faultOf(Buffer.from("hello"))).toBe("ARCHIVE_BROKEN");
    expect(await faultOf(Buffer.alloc(0))).toBe("NOT_AN_IMAGE");
    expect(await faultOf(await tarOf([{ name: "readme.txt", content: "hello" }]))).toBe("NOT_AN_IMAGE");
    const whole = await docker([text("{}"), { name: "a", content: "x".repeat(5000) }]);
    expect(await faultOf(whole.subarray(0, whole.length - 3000))).toMatch(/ARCHIVE_BROKEN|NOT_AN_IMAGE/);
    expect(await faultOf(gzipSync(whole).subarray(0, 200))).toBe("ARCHIVE_BROKEN");
  });

  test("an upload that breaks off", async () => {
    const whole = await docker([text("{}")]);
    async function* breaking() {
      yield whole.subarray(0, whole.length - 10);
      throw new Error("aborted");
    }
    expect(await faultOf(Readable.from(breaking()))).toBe("ARCHIVE_BROKEN");
  });

  test("another architecture, with the mend", async () => {
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
    expect(await faultOf(await ociArchive([one, other]))).toBe("SEVERAL_IMAGES");
    const index = JSON.stringify({ schemaVersion: 2, manifests: [] });
    expect(await faultOf(await dockerArchive(one, [{ name: "index.json", content: index }]))).toBe(
      "NOT_AN_IMAGE",
    );
    const two = [
      ...(await entriesOf(await dockerArchive(one))),
      ...(await entriesOf(await ociArchive([other]))),
    ];
    expect(await faultOf(await tarOf(two))).toBe("INDEX_DISAGREES");
  });

  test("wrong digests, missing blobs, and names that are there twice or are links", async () => {
    const parts = await image([text("{}")]);
    expect(await faultOf(await dockerArchive({ ...parts, diffIds: [digestOf(Buffer.from("x"))] }))).toBe(
      "WRONG_DIGEST",
    );
    expect(await faultOf(await dockerArchive({ ...parts, diffIds: [] }))).toBe("WRONG_DIGEST");
    const oci = await entriesOf(await ociArchive([parts]));
    const changed = oci.map((item) =>
      item.name.startsWith("blobs/") ? { ...item, content: Buffer.alloc(item.content.length, 1) } : item,
    );
    expect(await faultOf(await tarOf(changed))).toBe("WRONG_DIGEST");
    const entries = await entriesOf(await dockerArchive(parts));
    expect(await faultOf(await tarOf(entries.filter(({ name }) => name !== "0/layer.tar")))).toBe(
      "BLOB_MISSING",
    );
    expect(await faultOf(await tarOf([...entries, ...entries]))).toBe("UNSAFE_PATH");
    const link: Item = { name: "0/layer.tar", type: "symlink", linkname: "../../etc/passwd" };
    expect(await faultOf(await tarOf([...entries.filter(({ name }) => name !== "0/layer.tar"), link]))).toBe(
      "UNSAFE_PATH",
    );
    const manifest = JSON.stringify([{ Config: "../../etc/passwd", Layers: [] }]);
    expect(await faultOf(await tarOf([{ name: "manifest.json", content: manifest }]))).toBe("UNSAFE_PATH");
  });

  test("bombs, data after the gzip's end, and cut layers", async () => {
    const zeros = Buffer.concat([await tarOf([text("{}")]), Buffer.alloc(100 * 1024 * 1024)]);
    expect(await faultOf(await dockerArchive({ layers: [zeros], stored: [gzipSync(zeros)] }))).toBe(
      "DECOMPRESSION_BOMB",
    );
    expect(await faultOf(gzipSync(zeros))).toBe("DECOMPRESSION_BOMB");
    const layer = await tarOf([text("{}"), { name: "a", content: "x".repeat(5000) }]);
    const stored = (bytes: Buffer) => dockerArchive({ layers: [layer], stored: [bytes] });
    expect(await faultOf(await stored(Buffer.concat([gzipSync(layer), Buffer.from("more")])))).toBe(
      "LAYER_BROKEN",
    );
    expect(await faultOf(await stored(gzipSync(layer).subarray(0, -20)))).toBe("LAYER_BROKEN");
    expect(await faultOf(await stored(layer.subarray(0, 2000)))).toBe("LAYER_BROKEN");
    expect(
      await faultOf(await stored(Buffer.from("no tar at all, and longer than a block".repeat(20)))),
    ).toBe("LAYER_BROKEN");
  });

  test("ten thousand layers, and a layer of 600,000 entries", async () => {
    const empty = await tarOf([]);
    expect(await faultOf(await dockerArchive({ layers: Array.from({ length: 9_000 }, () => empty) }))).toBe(
      "TOO_MANY_LAYERS",
    );
    const entry = (await tarOf([{ name: "e" }])).subarray(0, 512);
    const many = Buffer.alloc(600_000 * 512);
    for (let at = 0; at < many.length; at += 512) entry.copy(many, at);
    const archive = await dockerArchive({ layers: [many] });
    const begun = Date.now();
    expect(await faultOf(archive)).toBe("TOO_MANY_ENTRIES");
    expect(Date.now() - begun).toBeLessThan(30_000);
  }, 60_000);
});

async function entriesOf(archive: Buffer): Promise<{ name: string; content: Buffer }[]> {
  const tar = await import("tar-stream");
  const { buffer } = await import("node:stream/consumers");
  const extract = tar.extract();
  extract.end(archive);
  const items: { name: string; content: Buffer }[] = [];
  for await (const entry of extract)
    items.push({ name: entry.header.name, content: await buffer(Readable.from(entry)) });
  return items;
}

/** A zstd frame of raw blocks (RFC 8878): Node 20 cannot compress one. */
function zstdStored(bytes: Buffer): Buffer {
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
