/** Puts a manifest at the root of an image as one more layer, while the archive is read. Nothing is written to disk. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import tar, { type Pack } from "tar-stream";
import { z } from "zod";
import { MANIFEST_FILE } from "@/lib/contract/names";
import { parseJson } from "@/lib/contract/parse-json";
import { Failure } from "../terminal/failure";
import { type InspectedImage, openTar } from "./inspect-image";
import type { Archive } from "./open-archive";
import { readBytes, readTar, rootName } from "./scan-layer";

/** They describe the image as it was. The new archive has the layout of `docker save`, whatever it had before. */
const REPLACED = new Set(["manifest.json", "index.json", "oci-layout", "repositories"]);

const FIXED = { mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 } as const;

const configShape = z.looseObject({
  history: z.array(z.unknown()).optional(),
  rootfs: z.looseObject({ diff_ids: z.array(z.string()) }),
});

/** The same image and text always give the same image. */
export async function addManifest(archive: Archive, image: InspectedImage, text: string): Promise<Archive> {
  const layer = await createLayer(text);
  const config = withLayer(image.config, layer);
  const [configName, layerName] = [`${toHex(config)}.json`, `${toHex(layer)}/layer.tar`];
  const index = [{ Config: configName, RepoTags: null, Layers: [...image.layers, layerName] }];
  const added: [string, Buffer][] = [
    [layerName, layer],
    [configName, config],
    ["manifest.json", Buffer.from(JSON.stringify(index))],
  ];
  const open = async () => {
    const pack = tar.pack();
    const source = await archive.open();
    fill(pack, source, added).catch((error: Error) => void pack.destroy(error));
    const opened = Readable.from(pack, { objectMode: false });
    opened.once("close", () => source.destroy());
    return opened;
  };
  return { size: archive.size + layer.length + config.length, open };
}

async function fill(pack: Pack, source: Readable, added: [string, Buffer][]): Promise<void> {
  for await (const entry of readTar(await openTar(source))) {
    const { header } = entry;
    if (REPLACED.has(rootName(header))) entry.resume();
    else if (header.type === "file") await pipeline(Readable.from(readBytes(entry)), pack.entry(header));
    else {
      pack.entry(header);
      entry.resume();
    }
  }
  for (const [name, content] of added) pack.entry({ ...FIXED, name }, content);
  pack.finalize();
}

async function createLayer(text: string): Promise<Buffer> {
  const pack = tar.pack();
  pack.entry({ ...FIXED, name: MANIFEST_FILE }, text);
  pack.finalize();
  return buffer(Readable.from(pack));
}

function withLayer(config: Buffer, layer: Buffer): Buffer {
  const parsed = configShape.safeParse(parseJson(config.toString())).data;
  if (parsed === undefined)
    throw new Failure("The image's configuration has no list of layers. Save the image again.");
  const { rootfs, history } = parsed;
  const entry = { created: FIXED.mtime.toISOString(), created_by: "platform-app publish --add-manifest" };
  const diffIds = [...rootfs.diff_ids, `sha256:${toHex(layer)}`];
  const next = { ...parsed, rootfs: { ...rootfs, diff_ids: diffIds } };
  return Buffer.from(
    JSON.stringify(history === undefined ? next : { ...next, history: [...history, entry] }),
  );
}

function toHex(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
