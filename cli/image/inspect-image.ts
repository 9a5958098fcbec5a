/** Reads an image archive once, in the layout of `docker save` or of OCI, without unpacking or uploading it. */
import { createHash } from "node:crypto";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import * as z from "zod";
import { parseJson } from "@/lib/contract/platform/problem";
import { Failure } from "../terminal/failure";
import type { ImageContent, Layer } from "./image-content";
import {
  detectLayer,
  type LayerEffect,
  readBytes,
  readTar,
  type RootEntry,
  rootName,
  scanLayer,
  type TarEntry,
} from "./scan-layer";

export interface InspectedImage extends ImageContent {
  /** Digest of its configuration: the image's id. */
  digest: string;
  /** Undefined if the image has no manifest at its root. */
  manifest: RootEntry | undefined;
  /** Whether it says what to run. */
  hasCommand: boolean;
}

const DOCUMENT_BYTES = 4 * 1024 * 1024;

interface Contents {
  documents: Map<string, Buffer>;
  layers: Map<string, Layer & LayerEffect>;
  /** Older engines write a repeated layer as a link to the first. */
  links: Map<string, string>;
}

const configShape = z.looseObject({
  architecture: z.string(),
  os: z.string(),
  config: z
    .looseObject({ Cmd: z.array(z.string()).nullish(), Entrypoint: z.array(z.string()).nullish() })
    .nullish(),
});
const dockerShape = z.array(z.looseObject({ Config: z.string(), Layers: z.array(z.string()) }));
const descriptor = z.looseObject({
  digest: z.string(),
  platform: z.looseObject({ os: z.string(), architecture: z.string() }).optional(),
});
const indexShape = z.looseObject({ manifests: z.array(descriptor) });
const manifestShape = z.looseObject({ config: descriptor, layers: z.array(descriptor) });

/** Throws a `Failure` for what the platform would refuse after the upload. `name` is shown. */
export async function inspectImage(archive: Readable, name: string): Promise<InspectedImage> {
  const contents = await readContents(archive).catch((error: unknown) => {
    if (error instanceof Failure || !(error instanceof Error)) throw error;
    if ("syscall" in error) throw new Failure("NO_IMAGE", `${name} can't be read (${error.message}).`);
    throw new Failure(
      "INVALID_IMAGE",
      `${name} is not a valid image archive (${error.message}). ${SAVE_AGAIN}`,
    );
  });
  const parts = findDockerImage(contents, name) ?? findOciImage(contents, name);
  const config = parts && contents.documents.get(parts.config);
  if (parts === undefined || config === undefined)
    throw new Failure(
      "INVALID_IMAGE",
      `${name} doesn't contain a container image for linux/amd64. ${SAVE_AGAIN}`,
    );
  const parsed = configShape.safeParse(parseJson(config.toString())).data;
  const { os, architecture, config: runs } = parsed ?? {};
  if (os !== "linux" || architecture !== "amd64")
    throw new Failure(
      "WRONG_ARCHITECTURE",
      `${name} is an image for ${os}/${architecture}, but apps run on linux/amd64. Build it with \`docker build --platform linux/amd64\`.`,
    );
  const digest = `sha256:${createHash("sha256").update(config).digest("hex")}`;
  const layers = parts.layers.map((layer) => findLayer(contents, layer, name));
  const hasCommand = [runs?.Entrypoint, runs?.Cmd].some((command) => (command ?? []).length > 0);
  return { digest, config, layers, manifest: findManifest(layers), hasCommand };
}

const SAVE_AGAIN = "Save one image with `docker save <image> -o app.tar`.";

/** The archive's tar; one that is gzipped as a whole is unpacked. */
export async function openTar(archive: Readable): Promise<Readable> {
  const { start, content } = await peek(archive, 2);
  const source = Readable.from(content, { objectMode: false });
  if (start[0] !== 0x1f || start[1] !== 0x8b) return source;
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  return source.pipe(gunzip);
}

async function readContents(archive: Readable): Promise<Contents> {
  const contents: Contents = { documents: new Map(), layers: new Map(), links: new Map() };
  try {
    for await (const entry of readTar(await openTar(archive))) await readEntry(entry, contents);
  } finally {
    // What writes it may go on writing after an error.
    archive.destroy();
  }
  return contents;
}

async function readEntry(entry: TarEntry, { documents, layers, links }: Contents): Promise<void> {
  const name = rootName(entry.header);
  const { type, size, linkname } = entry.header;
  if (type === "symlink") links.set(name, path.posix.join(path.posix.dirname(name), linkname));
  if (type !== "file") return void entry.resume();
  const hash = createHash("sha256");
  let bytes = 0;
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of readBytes(entry)) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  const { start, content } = await peek(hashed(), 512);
  const compression = detectLayer(start);
  if (compression !== undefined) {
    const effect = await scanLayer(content, compression);
    if (bytes !== size) throw new Error(`data follows the end of ${name}`);
    const digest = `sha256:${hash.digest("hex")}`;
    layers.set(name, { ...effect, digest, bytes, compression, content: name });
  } else if (size <= DOCUMENT_BYTES) documents.set(name, await buffer(content));
  else await drain(content);
}

async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  const iterator = content[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}

/** The first bytes, and everything from the first byte on. */
async function peek(source: AsyncIterable<Buffer>, bytes: number) {
  const iterator = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  let isEnd = false;
  while (start.length < bytes && !isEnd) {
    const next = await iterator.next();
    isEnd = next.done === true;
    if (next.done !== true) start = Buffer.concat([start, next.value]);
  }
  async function* content(): AsyncGenerator<Buffer> {
    if (start.length > 0) yield start;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { start, content: content() };
}

interface ImageParts {
  config: string;
  layers: string[];
}

function findDockerImage({ documents }: Contents, name: string): ImageParts | undefined {
  const images = dockerShape.safeParse(parseDocument(documents, "manifest.json")).data;
  if (images === undefined) return undefined;
  const [image, ...others] = images;
  if (image === undefined || others.length > 0)
    throw new Failure("INVALID_IMAGE", `${name} contains ${images.length} images. ${SAVE_AGAIN}`);
  return { config: image.Config, layers: image.Layers };
}

/** The one image for linux/amd64, by the rule of the platform: of several, nobody could say which one runs. */
function findOciImage({ documents }: Contents, archive: string): ImageParts | undefined {
  const names = ["index.json"];
  const found: ImageParts[] = [];
  // The list grows while indexes are found in it. Each document is read once.
  for (const name of names) {
    const document = parseDocument(documents, name);
    const index = indexShape.safeParse(document).data;
    const wanted = index?.manifests.filter(
      ({ platform }) => platform === undefined || `${platform.os}/${platform.architecture}` === "linux/amd64",
    );
    for (const { digest } of wanted ?? []) if (!names.includes(toBlob(digest))) names.push(toBlob(digest));
    const image = index === undefined ? manifestShape.safeParse(document).data : undefined;
    if (image !== undefined)
      found.push({
        config: toBlob(image.config.digest),
        layers: image.layers.map(({ digest }) => toBlob(digest)),
      });
  }
  const fitting = found.filter(({ config }) => {
    const { os, architecture } = configShape.safeParse(parseDocument(documents, config)).data ?? {};
    return os === "linux" && architecture === "amd64";
  });
  if (fitting.length > 1)
    throw new Failure(
      "INVALID_IMAGE",
      `${archive} contains ${fitting.length} images for linux/amd64. ${SAVE_AGAIN}`,
    );
  return fitting[0] ?? found[0];
}

function toBlob(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}

function parseDocument(documents: ReadonlyMap<string, Buffer>, name: string): unknown {
  const bytes = documents.get(name);
  return bytes && parseJson(bytes.toString());
}

/** Two names of the configuration may lead to one layer. */
function findLayer({ layers, links }: Contents, entry: string, name: string): Layer & LayerEffect {
  const layer = layers.get(entry) ?? layers.get(links.get(entry) ?? "");
  if (layer === undefined)
    throw new Failure("INVALID_IMAGE", `${name} is missing the layer ${entry}. ${SAVE_AGAIN}`);
  return layer;
}

/** The top layer that mentions it decides; a layer hides only what is below it. */
function findManifest(layers: readonly LayerEffect[]): RootEntry | undefined {
  for (const { adds, hides } of [...layers].reverse()) {
    if (adds !== undefined) return adds;
    if (hides) return undefined;
  }
  return undefined;
}
