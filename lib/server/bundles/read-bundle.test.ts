import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import tar from "tar-stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cpuTime } from "@/tests/cpu-time";
import { Problem } from "@/lib/contract/problem";
import { HOSTILE_UPLOADS } from "@/tests/hostile-uploads";
import { readEnvironment, type Environment } from "../platform/environment";
import { newMasterKey } from "../platform/keyring";
import { archivePath, createIncomingFolder, keepArchive, removeIncomingFolder } from "./bundle-store";
import { readBundle } from "./read-bundle";
import { receiveUpload } from "./receive-upload";
import {
  toDigest,
  dockerArchive,
  createConfig,
  ociArchive,
  createTar,
  toZstdFrame,
  zstdBlock,
  zstdHeader,
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
    await receiveUpload(stream, folder, new AbortController().signal);
    const bundle = await readBundle(folder);
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
    const spent = await cpuTime(async () => expect(await readIssueCode(archive)).toBe("TOO_MANY_ENTRIES"));
    expect(spent).toBeLessThan(30_000);
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

/** Not the ones that only a thread survives; see `lib/server/publishing/inspect-upload.test.ts`. */
const ENDS_BY_ITSELF = HOSTILE_UPLOADS.filter(({ code }) => code !== "TOO_EXPENSIVE");

// Guarantee (P6): small archives can't make the platform work or store much.
test.each(ENDS_BY_ITSELF)(
  "$name is refused as $code after at most 5 s of work",
  async ({ archive, code }) => {
    const bytes = await archive();
    expect(bytes.length).toBeLessThan(256 * 1024);
    const spent = await cpuTime(async () => expect(await readIssueCode(bytes)).toBe(code));
    expect(spent).toBeLessThan(5_000);
  },
);

describe("zstd", () => {
  const stored = async (frames: Buffer) =>
    dockerArchive({ layers: [await createTar([text("{}")])], stored: [frames] });
  const frame = async (window?: number) => toZstdFrame(await createTar([text("{}")]), window);

  test("windows of up to 8 MiB, and skippable frames, are read", async () => {
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    for (const frames of [await frame(23), Buffer.concat([skippable, await frame(), skippable])])
      expect(await receive(await stored(frames))).toMatchObject({ manifestText: "{}" });
  });

  test("larger windows are refused in every frame", async () => {
    for (const frames of [await frame(24), Buffer.concat([await frame(), await frame(31)])])
      expect(await readIssueCode(await stored(frames))).toBe("WINDOW_TOO_LARGE");
  });

  test("data after its end, truncated frames and malformed blocks are refused", async () => {
    const whole = await frame();
    for (const frames of [
      Buffer.concat([whole, Buffer.from("more")]),
      whole.subarray(0, -5),
      whole.subarray(0, 5),
      Buffer.concat([zstdHeader(21), zstdBlock(0, 200_000, Buffer.alloc(200_000), true)]),
    ])
      expect(await readIssueCode(await stored(frames))).toBe("LAYER_BROKEN");
  });
});

describe("links are followed as engines follow them", () => {
  const link = (name: string, linkname: string): Item => ({ name, type: "symlink", linkname });
  const hidden = (...folder: string[]) =>
    folder.map((name): Item => ({ name: `${name}/${MANIFEST}`, content: "2" }));

  test.each<[string, Item[][]]>([
    ["a link in a folder", [[text("1"), link("d/l", "/"), ...hidden("d/l")]]],
    ["a relative link", [[text("1"), link("d/e/l", "../.."), ...hidden("d/e/l")]]],
    ["a link to a link", [[text("1"), link("a", "d/b"), link("d/b", "../."), ...hidden("a")]]],
    [
      "a link that is written through a link",
      [[text("1"), link("a", "d"), link("a/l", "/"), ...hidden("d/l")]],
    ],
    [
      "a hard link to a link",
      [[text("1"), link("d/l", "/"), { name: "h", type: "link", linkname: "d/l" }, ...hidden("h")]],
    ],
    ["a link of a lower layer", [[text("1"), link("d/l", "/")], hidden("d/l")]],
    [
      "a link that only an engine with a folder for each layer follows",
      [
        [text("1"), link("a", "b")],
        [link("a/x", "/"), { name: "b/x", type: "directory" }, ...hidden("a/x")],
      ],
    ],
    ["a whiteout through a link", [[text("1")], [link("d/l", "/"), { name: `d/l/.wh.${MANIFEST}` }]]],
    ["an opaque whiteout through a link", [[text("1")], [link("d/l", "/"), { name: "d/l/.wh..wh..opq" }]]],
  ])("%s can't replace or hide the manifest", async (_what, layers) => {
    expect(await readIssueCode(await docker(...layers))).toBe("UNSAFE_PATH");
  });

  test("links in a circle, and a folder in place of the manifest, are refused", async () => {
    const circle = [text("1"), link("a", "b"), link("b", "a"), { name: "a/file" }];
    expect(await readIssueCode(await docker(circle))).toBe("UNSAFE_PATH");
    expect(await readIssueCode(await docker([text("1")], [{ name: `${MANIFEST}/file` }]))).toBe(
      "MANIFEST_NOT_A_FILE",
    );
  });

  test("ordinary links are accepted, also when a later entry replaces them", async () => {
    const layers = [
      [
        text("1"),
        link("bin", "usr/bin"),
        link("lib64", "/usr/lib"),
        { name: "bin/sh" },
        { name: "lib64/libc" },
      ],
      [{ name: "bin", type: "directory" } as const, ...hidden("bin"), ...hidden("lib64")],
    ];
    expect(await receive(await docker(...layers))).toMatchObject({ manifestText: "1" });
  });

  test("an entry for the root itself, as Kaniko writes it, is accepted", async () => {
    const root: Item = { name: "/", type: "directory" };
    expect(await receive(await docker([root, text("1")]))).toMatchObject({ manifestText: "1" });
  });

  test("two layers that are links to each other are refused", async () => {
    const [a, b] = ["a".repeat(64), "b".repeat(64)];
    const config = createConfig({ layers: [Buffer.alloc(0)] });
    const name = `${toDigest(config).slice("sha256:".length)}.json`;
    const archive = await createTar([
      { name, content: config },
      link(`${a}/layer.tar`, `../${b}/layer.tar`),
      link(`${b}/layer.tar`, `../${a}/layer.tar`),
      { name: "manifest.json", content: JSON.stringify([{ Config: name, Layers: [`${a}/layer.tar`] }]) },
    ]);
    expect(await readIssueCode(archive)).toBe("UNSAFE_PATH");
  });
});

describe("what would be accepted but could not run", () => {
  test("more layers than engines chain is refused, and a repeated layer is stored once", async () => {
    const manifest = await createTar([text("{}")]);
    const empty = await createTar([{ name: "x", content: "x".repeat(10_000) }]);
    const withLayers = (count: number) =>
      dockerArchive({ layers: [manifest, ...Array.from({ length: count - 1 }, () => empty)] });
    expect(await readIssueCode(await withLayers(126))).toBe("TOO_MANY_LAYERS");
    const { archiveDigest } = await receive(await withLayers(125), true);
    const file = archivePath(environment, archiveDigest);
    expect((await stat(file)).size).toBeLessThan(64 * 1024);
    expect(await receive(createReadStream(file))).toMatchObject({ archiveDigest });
    await rm(file);
  });

  test.each([["/"], ["/proc"], ["../../etc"], ["/app"]])(
    "a volume at %s is not stored, and the digest is the one of what is stored",
    async (volume) => {
      const { layers } = await image([text("{}")]);
      const config = { Cmd: ["/app"], Volumes: { [volume]: {} } };
      const { imageDigest } = await receive(await dockerArchive({ layers, config }));
      expect(imageDigest).toBe(toDigest(createConfig({ layers, config: { Cmd: ["/app"] } })));
    },
  );

  test("volumes are found in every spelling that engines accept, and absent ones change nothing", async () => {
    const { layers } = await image([text("{}")]);
    const digestOf = async (config: string) => {
      const whole = createConfig({ layers }).toString().replace('"config":{}', config);
      const entries = await readEntries(await dockerArchive({ layers }));
      const name = `${toDigest(Buffer.from(whole)).slice("sha256:".length)}.json`;
      const changed = entries.map(({ name: old, content }) => {
        if (old.endsWith(".json") && old !== "manifest.json") return { name, content: whole };
        return old === "manifest.json"
          ? { name: old, content: JSON.stringify([{ Config: name, Layers: ["0/layer.tar"] }]) }
          : { name: old, content };
      });
      return (await receive(await createTar(changed))).imageDigest === toDigest(Buffer.from(whole));
    };
    for (const config of [
      '"config":{"volumes":{"/app":{}}}',
      '"Config":{"VOLUMES":{"/app":{}}}',
      '"config":{"Volume\\u0073":{"/app":{}}}',
      '"config":{"Volumes":{"/app":{}}},"config":{}',
    ])
      expect(await digestOf(config), config).toBe(false);
    for (const config of ['"config":{"Volumes":null}', '"config":{"Env":["volumes=1"]}'])
      expect(await digestOf(config), config).toBe(true);
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
