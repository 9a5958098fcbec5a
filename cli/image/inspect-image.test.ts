import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { Problem } from "@/lib/contract/platform/problem";
import { uploadPath } from "@/lib/server/images/archive/index-archive";
import { readBundle } from "@/lib/server/images/archive/read-bundle";
import {
  createConfig,
  createTar,
  dockerArchive,
  type ImageParts,
  type Item,
  ociArchive,
  toDigest,
} from "@/lib/server/images/archive/test-archives";
import { indexArchiveOf, listIndexCases } from "@/lib/server/images/archive/test-indexes";
import { Failure } from "../terminal/failure";
import { addManifest } from "./choose-manifest";
import { writeManifest } from "./image-content";
import { inspectImage } from "./inspect-image";

const NAME = "platform-app.json";
const file = (content: string): Item => ({ name: NAME, content });

const parts = async (...layers: Item[][]): Promise<ImageParts> => ({
  layers: await Promise.all(layers.map(createTar)),
});

async function inspect(archive: Buffer, platform?: string) {
  const open = async () => Readable.from([archive]);
  const { signal } = new AbortController();
  const image = await inspectImage({ size: archive.length, open }, "app.tar", signal, platform);
  onTestFinished(image.close);
  return image;
}

async function findManifest(...layers: Item[][]): Promise<string | undefined> {
  const image = await inspect(await dockerArchive(await parts(...layers)));
  try {
    return image.manifest.bytes().toString();
  } catch (error) {
    return error instanceof Problem ? error.issues[0]?.code : String(error);
  }
}

/** What the platform makes of an archive. */
async function receive(archive: Buffer, wanted?: string) {
  const folder = await mkdtemp(path.join(tmpdir(), "inspect-"));
  try {
    await writeFile(uploadPath(folder), archive);
    return await readBundle(folder, { wanted });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the same image is found in both layouts, with stored and compressed layers, gzipped as a whole or not", async () => {
  const image = await parts([file("{}")], [{ name: "server.js", content: "x".repeat(50_000) }]);
  const digest = toDigest(createConfig(image));
  const other = { ...(await parts([file("other")])), architecture: "arm64" };
  for (const archive of [
    await dockerArchive(image),
    await dockerArchive({ ...image, stored: image.layers.map((layer) => gzipSync(layer)) }),
    await ociArchive([image]),
    await ociArchive([other, image]),
  ]) {
    for (const sent of [archive, gzipSync(archive)]) {
      const found = await inspect(sent);
      expect(found.digest).toBe(digest);
      expect(found.manifest.bytes().toString()).toBe("{}");
      for (const { open, digest: layer } of found.layers) expect(toDigest(await buffer(open()))).toBe(layer);
    }
  }
});

test("the manifest is the one in the union of the layers, as the platform finds it", async () => {
  expect(await findManifest([file("1")], [file("2")])).toBe("2");
  expect(await findManifest([file("1")], [{ name: `./${NAME}`, content: "2" }])).toBe("2");
  expect(await findManifest([{ name: `app/${NAME}`, content: "1" }])).toBe("MANIFEST_MISSING");
  expect(await findManifest([file("1")], [{ name: `.wh.${NAME}` }])).toBe("MANIFEST_MISSING");
  expect(await findManifest([file("1")], [{ name: ".wh..wh..opq" }, file("2")])).toBe("2");
  expect(await findManifest([file("1")], [{ name: NAME, type: "symlink", linkname: "x" }])).toBe(
    "MANIFEST_NOT_A_FILE",
  );
  expect(await findManifest([file(" ".repeat(1024 * 1024 + 1))])).toBe("MANIFEST_TOO_LARGE");
});

test("the platform finds an added manifest in both layouts, and everything else stays the same", async () => {
  const image = await parts([file("old"), { name: "server.js", content: "x".repeat(50_000) }]);
  for (const archive of [
    await dockerArchive(image),
    await ociArchive([image]),
    gzipSync(await ociArchive([image])),
  ]) {
    const inspected = await inspect(archive);
    const added = await addManifest(inspected, '{"new":1}');
    const layers = await Promise.all(added.layers.map(({ open }) => buffer(open())));
    const bundle = await receive(
      await dockerArchive({ ...image, layers: [...image.layers, ...layers.slice(-1)] }),
    );
    expect(bundle.manifestText).toBe('{"new":1}');
    const { rootfs, ...rest } = JSON.parse(added.config.toString());
    expect(rootfs.diff_ids).toEqual(bundle.layers.map(({ diffId }) => diffId));
    expect(rest).toEqual({ ...JSON.parse(inspected.config.toString()), rootfs: undefined });
    expect(writeManifest(await addManifest(inspected, '{"new":1}'))).toEqual(writeManifest(added));
  }
});

test("another architecture, and several images for linux/amd64, are refused as the platform refuses them", async () => {
  const one = await parts([file("1")]);
  const other = await parts([file("2")]);
  await expect(inspect(await dockerArchive({ ...one, architecture: "arm64" }))).rejects.toMatchObject({
    code: "WRONG_ARCHITECTURE",
  });
  // As containerd's image store saves it: the index names the platform, and the image's own files aren't asked.
  const foreign = { ...one, architecture: "arm64" };
  await expect(inspect(await ociArchive([foreign]))).rejects.toMatchObject({
    code: "WRONG_ARCHITECTURE",
    message: expect.stringContaining("linux/arm64"),
  });
  const several = await ociArchive([one, other]);
  await expect(inspect(several)).rejects.toThrow("There are 2 images for linux/amd64");
  await expect(receive(several)).rejects.toMatchObject({ issues: [{ code: "SEVERAL_IMAGES" }] });
  const multiPlatform = await ociArchive([{ ...other, architecture: "arm64" }, one]);
  expect((await inspect(multiPlatform)).digest).toBe(toDigest(createConfig(one)));
});

// Guarantee: the tool and the platform choose the same image, also if the archive has both layouts.
test("of several variants, the wanted one is found here and by the platform", async () => {
  const [first, second] = [await parts([file("1")]), { ...(await parts([file("2")])), variant: "v2" }];
  const list = [{ name: "manifest.json", content: await readDockerManifest(first) }];
  for (const archive of [await ociArchive([first, second]), await ociArchive([first, second], list)]) {
    await expect(inspect(archive)).rejects.toThrow("linux/amd64, linux/amd64/v2. Choose one with --platform");
    for (const [wanted, chosen] of [
      ["linux/amd64", first],
      ["linux/amd64/v2", second],
    ] as const) {
      const digest = toDigest(createConfig(chosen));
      expect((await inspect(archive, wanted)).digest).toBe(digest);
      expect((await receive(archive, wanted)).image.digest).toBe(digest);
    }
    await expect(inspect(archive, "linux/amd64/v3")).rejects.toMatchObject({ code: "WRONG_ARCHITECTURE" });
  }
  // The same image, listed for two variants.
  const twice = await ociArchive([first, { ...first, variant: "v2" }]);
  for (const wanted of [undefined, "linux/amd64", "linux/amd64/v2"])
    expect((await inspect(twice, wanted)).digest).toBe(toDigest(createConfig(first)));
});

// Guarantee: indexes of several images mean the same here and on the platform. `receive-image.test.ts` asks a registry for them.
test.each(await listIndexCases("{}"))("an index of $name", async (each) => {
  const { wanted, expected } = each;
  for (const isFlat of [false, true]) {
    const archive = await indexArchiveOf(each, isFlat);
    const chosen = [
      await inspect(archive, wanted).then(({ digest }) => digest, describe),
      await receive(archive, wanted).then(({ image }) => image.digest, describe),
    ];
    for (const one of chosen)
      if (typeof expected === "string") expect(one).toBe(expected);
      else if (!isFlat || each.name !== "indexes without an end") expect(one).toMatch(expected);
  }
});

function describe(error: unknown): string {
  if (error instanceof Problem) return `${error.issues[0]?.code ?? error.code} ${error.detail}`;
  if (!(error instanceof Failure)) return String(error);
  return `${error.issues[0]?.code} ${error.message.replace("app.tar can't be published. ", "")}`;
}

/** As an engine that writes both layouts names the image by its blobs. */
async function readDockerManifest(image: ImageParts): Promise<string> {
  const name = (content: Buffer) => `blobs/${toDigest(content).replace(":", "/")}`;
  const layers = image.layers.map((layer) => name(gzipSync(layer)));
  return JSON.stringify([{ Config: name(createConfig(image)), Layers: layers }]);
}

test("an image that says what to run is told from one that doesn't", async () => {
  const image = await parts([file("1")]);
  const hasCommand = async (config: object) =>
    (await inspect(await dockerArchive({ ...image, config }))).warnings.length === 0;
  expect(await Promise.all([{}, { Cmd: null }, { Cmd: [] }, { Env: ["CMD=1"] }].map(hasCommand))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(await Promise.all([{ Cmd: ["/app"] }, { Entrypoint: ["/app"], Cmd: null }].map(hasCommand))).toEqual(
    [true, true],
  );
});

// Guarantee: an image that engines could read differently is refused before it is sent, with the path and the reason.
test("what the platform refuses in a layer is refused here, and nothing is left on disk", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "inspect-"));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  const manifest = file("{}");
  for (const [layers, code, words] of [
    [[[manifest, { name: "app/../../etc/passwd", content: "x" }]], "UNSAFE_PATH", "outside the image"],
    [[[manifest, file("[]")]], "MANIFEST_TWICE", "contains platform-app.json twice"],
    [[[manifest, { name: "a", type: "link", linkname: "b" }]], "UNSAFE_PATH", "a hard link to a file"],
    [[[manifest], [{ name: `${NAME}/x`, content: "1" }]], "MANIFEST_NOT_A_FILE", "as a folder"],
  ] as const) {
    const archive = await dockerArchive(await parts(...layers.map((items): Item[] => [...items])));
    await expect(inspect(archive)).rejects.toMatchObject({
      code: "INVALID_IMAGE",
      message: expect.stringContaining(words),
      issues: [{ code }],
    });
    await expect(receive(archive)).rejects.toMatchObject({ issues: [{ code }] });
  }
  expect(await readdir(folder)).toEqual([]);
});
