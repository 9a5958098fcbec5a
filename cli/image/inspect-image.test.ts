import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readBundle } from "@/lib/server/images/read-bundle";
import { uploadPath } from "@/lib/server/images/receive-upload";
import {
  createConfig,
  createTar,
  dockerArchive,
  type ImageParts,
  type Item,
  ociArchive,
  toDigest,
} from "@/lib/server/images/test-archives";
import { addManifest } from "./choose-manifest";
import { inspectImage } from "./inspect-image";

const NAME = "platform-app.json";
const file = (content: string): Item => ({ name: NAME, content });

const parts = async (...layers: Item[][]): Promise<ImageParts> => ({
  layers: await Promise.all(layers.map(createTar)),
});

const inspect = (archive: Buffer) => inspectImage(Readable.from([archive]), "app.tar");

async function findManifest(...layers: Item[][]): Promise<string | undefined> {
  const { manifest } = await inspect(await dockerArchive(await parts(...layers)));
  return manifest === undefined ? undefined : (manifest.bytes?.toString() ?? "not a file");
}

/** What the platform makes of an archive. */
async function receive(archive: Buffer) {
  const folder = await mkdtemp(path.join(tmpdir(), "inspect-"));
  try {
    await writeFile(uploadPath(folder), archive);
    return await readBundle(folder);
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
      expect(found.manifest?.bytes?.toString()).toBe("{}");
    }
  }
});

test("the manifest is the one in the union of the layers, as the platform finds it", async () => {
  expect(await findManifest([file("1")], [file("2")])).toBe("2");
  expect(await findManifest([file("1")], [{ name: `./${NAME}`, content: "2" }])).toBe("2");
  expect(await findManifest([{ name: `app/${NAME}`, content: "1" }])).toBeUndefined();
  expect(await findManifest([file("1")], [{ name: `.wh.${NAME}` }])).toBeUndefined();
  expect(await findManifest([file("1")], [{ name: ".wh..wh..opq" }, file("2")])).toBe("2");
  expect(await findManifest([file("1")], [{ name: NAME, type: "symlink", linkname: "x" }])).toBe(
    "not a file",
  );
  expect(await findManifest([file(" ".repeat(1024 * 1024 + 1))])).toBe("not a file");
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
    const top = added.layers.at(-1)?.content;
    const layers = [...image.layers, Buffer.isBuffer(top) ? top : Buffer.alloc(0)];
    const bundle = await receive(await dockerArchive({ layers }));
    expect(bundle.manifestText).toBe('{"new":1}');
    const { rootfs, ...rest } = JSON.parse(added.config.toString());
    expect(rootfs.diff_ids).toEqual(bundle.layers.map(({ diffId }) => diffId));
    expect(rest).toEqual({ ...JSON.parse(inspected.config.toString()), rootfs: undefined });
    expect(await addManifest(inspected, '{"new":1}')).toEqual(added);
  }
});

test("another architecture, and several images for linux/amd64, are refused as the platform refuses them", async () => {
  const one = await parts([file("1")]);
  const other = await parts([file("2")]);
  await expect(inspect(await dockerArchive({ ...one, architecture: "arm64" }))).rejects.toMatchObject({
    code: "WRONG_ARCHITECTURE",
  });
  const several = await ociArchive([one, other]);
  await expect(inspect(several)).rejects.toThrow("app.tar contains 2 images for linux/amd64");
  await expect(receive(several)).rejects.toMatchObject({ issues: [{ code: "SEVERAL_IMAGES" }] });
  const multiPlatform = await ociArchive([{ ...other, architecture: "arm64" }, one]);
  expect((await inspect(multiPlatform)).digest).toBe(toDigest(createConfig(one)));
});

test("an image that says what to run is told from one that doesn't", async () => {
  const image = await parts([file("1")]);
  const hasCommand = async (config: object) =>
    (await inspect(await dockerArchive({ ...image, config }))).hasCommand;
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
