import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { parseJson } from "@/lib/contract/platform/problem";
import { readEntries } from "../received-bundles";
import { type LayeredImage, toLayered } from "./send-blobs";

const shape = z.tuple([z.object({ Config: z.string(), Layers: z.array(z.string()) })]);

/** The image of an archive as blobs. Undefined if what is hostile about the archive is around its image. */
export async function splitArchive(archive: Buffer): Promise<LayeredImage | undefined> {
  const entries = await readFiles(archive).catch(() => undefined);
  const image = shape.safeParse(parseJson(entries?.get("manifest.json")?.toString() ?? "")).data?.[0];
  if (entries === undefined || image === undefined) return undefined;
  const [config, ...layers] = [image.Config, ...image.Layers].map((name) => entries.get(name));
  const found = layers.filter((layer) => layer !== undefined && layer.length > 0);
  if (config === undefined || found.length < layers.length) return undefined;
  return toLayered(
    config,
    found.map((layer) => layer ?? Buffer.alloc(0)),
  );
}

async function readFiles(archive: Buffer): Promise<Map<string, Buffer>> {
  const plain = archive[0] === 0x1f ? gunzipSync(archive) : archive;
  return new Map((await readEntries(plain)).map(({ name, content }) => [name, content]));
}
