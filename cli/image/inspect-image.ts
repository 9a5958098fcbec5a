/** Reads an image archive once, in the layout of `docker save` or of OCI, without unpacking or uploading it. */
import { createHash } from "node:crypto";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { parseJson } from "@/lib/contract/parse-json";
import { Failure } from "../terminal/failure";
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

export interface InspectedImage {
  /** Digest of its configuration: the image's id. */
  digest: string;
  config: Buffer;
  /** Names of the archive's entries, bottom first. */
  layers: string[];
  /** Undefined if the image has no manifest at its root. */
  manifest: RootEntry | undefined;
}

const DOCUMENT_BYTES = 4 * 1024 * 1024;

interface Contents {
  documents: Map<string, Buffer>;
  layers: Map<string, LayerEffect>;
  /** Older engines write a repeated layer as a link to the first. */
  links: Map<string, string>;
}

const configShape = z.looseObject({ architecture: z.string(), os: z.string() });
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
    if ("syscall" in error) throw new Failure(`${name} cannot be read (${error.message}).`);
    throw new Failure(`${name} is not a readable image archive (${error.message}). ${SAVE_AGAIN}`);
  });
  const parts = findDockerImage(contents, name) ?? findOciImage(contents);
  const config = parts && contents.documents.get(parts.config);
  if (parts === undefined || config === undefined)
    throw new Failure(`${name} contains no container image for linux/amd64. ${SAVE_AGAIN}`);
  const { os, architecture } = configShape.safeParse(parseJson(config.toString())).data ?? {};
  if (os !== "linux" || architecture !== "amd64")
    throw new Failure(
      `${name} is an image for ${os}/${architecture}, but apps run on linux/amd64. Build it with \`docker build --platform linux/amd64\`.`,
    );
  const digest = `sha256:${createHash("sha256").update(config).digest("hex")}`;
  return { digest, config, layers: parts.layers, manifest: findManifest(contents, parts.layers) };
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
  for await (const entry of readTar(await openTar(archive))) await readEntry(entry, contents);
  return contents;
}

async function readEntry(entry: TarEntry, { documents, layers, links }: Contents): Promise<void> {
  const name = rootName(entry.header);
  const { type, size, linkname } = entry.header;
  if (type === "symlink") links.set(name, path.posix.join(path.posix.dirname(name), linkname));
  if (type !== "file") return void entry.resume();
  const { start, content } = await peek(readBytes(entry), 512);
  const layer = detectLayer(start);
  if (layer !== undefined) layers.set(name, await scanLayer(content, layer));
  else if (size <= DOCUMENT_BYTES) documents.set(name, await buffer(content));
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
    throw new Failure(`${name} contains ${images.length} images. ${SAVE_AGAIN}`);
  return { config: image.Config, layers: image.Layers };
}

function findOciImage({ documents }: Contents): ImageParts | undefined {
  const names = ["index.json"];
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
      return {
        config: toBlob(image.config.digest),
        layers: image.layers.map(({ digest }) => toBlob(digest)),
      };
  }
  return undefined;
}

function toBlob(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}

function parseDocument(documents: ReadonlyMap<string, Buffer>, name: string): unknown {
  const bytes = documents.get(name);
  return bytes && parseJson(bytes.toString());
}

/** The top layer that mentions it decides; a layer hides only what is below it. */
function findManifest({ layers, links }: Contents, names: readonly string[]): RootEntry | undefined {
  for (const name of [...names].reverse()) {
    const effect = layers.get(name) ?? layers.get(links.get(name) ?? "");
    if (effect?.adds !== undefined) return effect.adds;
    if (effect?.hides === true) return undefined;
  }
  return undefined;
}
