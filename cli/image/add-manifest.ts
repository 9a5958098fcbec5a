/** Puts a manifest at the root of an image as one more layer. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import tar from "tar-stream";
import * as z from "zod";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import { parseJson } from "@/lib/contract/parse-json";
import { Failure } from "../terminal/failure";
import type { ImageContent } from "./image-content";

const FIXED = { mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 } as const;

const configShape = z.looseObject({
  history: z.array(z.unknown()).optional(),
  rootfs: z.looseObject({ diff_ids: z.array(z.string()) }),
});

/** The same image and text always give the same image. */
export async function addManifest({ config, layers }: ImageContent, text: string): Promise<ImageContent> {
  const content = await createLayer(text);
  const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
  const layer = { digest, bytes: content.length, compression: "plain" as const, content };
  return { config: withLayer(config, digest), layers: [...layers, layer] };
}

async function createLayer(text: string): Promise<Buffer> {
  const pack = tar.pack();
  pack.entry({ ...FIXED, name: MANIFEST_FILE }, text);
  pack.finalize();
  return buffer(Readable.from(pack));
}

function withLayer(config: Buffer, diffId: string): Buffer {
  const parsed = configShape.safeParse(parseJson(config.toString())).data;
  if (parsed === undefined)
    throw new Failure(
      "INVALID_IMAGE",
      "The image's configuration has no list of layers. Save the image again.",
    );
  const { rootfs, history } = parsed;
  const entry = { created: FIXED.mtime.toISOString(), created_by: "platform-app publish --add-manifest" };
  const next = { ...parsed, rootfs: { ...rootfs, diff_ids: [...rootfs.diff_ids, diffId] } };
  return Buffer.from(
    JSON.stringify(history === undefined ? next : { ...next, history: [...history, entry] }),
  );
}
