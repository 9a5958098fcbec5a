/**
 * What an image says about itself, read from its stored configuration (`read-bundle.ts`) without touching its
 * layers.
 */
import { type FileHandle, open } from "node:fs/promises";
import { z } from "zod";
import { isRecord } from "@/lib/domain/platform/json-text/json-value";
import type { Environment } from "../platform/environment";
import { BUNDLE_LIMITS } from "./archive/bad-bundle";
import { BlobMissing, openStore, readWhole } from "./blob-store";
import { pairLayers, readImageManifest } from "./archive/image";
import { parseConfig } from "./archive/image-config";
import { sha256 } from "./archive/index-archive";
import { oldArchivePath } from "./open-archive";
import { parseDocument } from "./archive/parse-document";
import { BLOCK, readHeader } from "./archive/tar-header";

interface ImageLayerFacts {
  /** `sha256:…` of the layer's content. The same layer of two images has the same one. */
  diffId: string;
  /** As stored, usually compressed. */
  bytes: number;
}

export interface ImageFacts {
  /** `sha256:…` of the configuration: what the engine runs. */
  digest: string;
  /** Of everything that is stored of it. A repeated layer counts once. */
  archiveBytes: number;
  /** Bottom first. */
  layers: ImageLayerFacts[];
  /** Such as `amd64`. */
  architecture: string;
  /** The paths of its VOLUME instructions, as its history shows them: the platform stores images without volumes. */
  volumes: string[];
  /** The user that the image asks for; the platform runs it as 65532. Empty if it asks for none. */
  user: string;
  /** Such as `8080/tcp`. The platform only calls `PLATFORM_PORT`. */
  exposedPorts: string[];
  /** Names of the environment variables that the image sets. Never their values, which may be secrets. */
  environmentNames: string[];
  /** How many ports, volumes and environment variables are not listed: an image may have thousands. */
  unlisted: number;
}

/** Of each list, and of each name in it. */
const MAX_SHOWN = 200;

/** Undefined if the image is not in the store, as for the demo's apps, which run as processes. */
export async function readImageFacts(
  environment: Environment,
  archiveDigest: string,
): Promise<ImageFacts | undefined> {
  const stored =
    (await readStored(environment, archiveDigest)) ?? (await readOldArchive(environment, archiveDigest));
  if (stored === undefined) return undefined;
  const { config, rootfs, architecture, history } = parseConfig(stored.config, "config");
  const { user, exposedPorts, environmentNames } = describeConfig(config);
  const named = { exposedPorts, environmentNames, volumes: readVolumes(history) };
  return {
    digest: sha256(stored.config),
    archiveBytes: stored.archiveBytes,
    layers: pairLayers(stored.layers, rootfs.diff_ids),
    architecture: architecture.slice(0, MAX_SHOWN),
    user,
    exposedPorts: toShown(named.exposedPorts),
    environmentNames: toShown(named.environmentNames),
    volumes: toShown(named.volumes),
    unlisted: Object.values(named).reduce((sum, names) => sum + Math.max(0, names.size - MAX_SHOWN), 0),
  };
}

interface StoredImage {
  config: Buffer;
  layers: { bytes: number }[];
  archiveBytes: number;
}

async function readStored(environment: Environment, archiveDigest: string): Promise<StoredImage | undefined> {
  const store = openStore(environment);
  try {
    const bytes = await readWhole(
      store,
      { kind: "manifest", digest: archiveDigest },
      BUNDLE_LIMITS.documentBytes,
    );
    const { config, layers } = readImageManifest(bytes);
    const distinct = new Map(layers.map((layer) => [layer.digest, layer.bytes]));
    const archiveBytes = [...distinct.values()].reduce(
      (sum, each) => sum + each,
      config.bytes + bytes.length,
    );
    return {
      config: await readWhole(store, { kind: "blob", digest: config.digest }, BUNDLE_LIMITS.documentBytes),
      layers: layers.map((layer) => ({ bytes: layer.bytes })),
      archiveBytes,
    };
  } catch (error) {
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
}

/** How many of an image's layers another image has too: those need no second look. */
export function countSharedLayers(image: ImageFacts, other: ImageFacts): number {
  const known = new Set(other.layers.map(({ diffId }) => diffId));
  return image.layers.filter(({ diffId }) => known.has(diffId)).length;
}

function describeConfig(config: unknown) {
  const { User: user, ExposedPorts: ports, Env: environment } = isRecord(config) ? config : {};
  const entries = Array.isArray(environment) ? environment : [];
  return {
    user: typeof user === "string" ? user.slice(0, MAX_SHOWN) : "",
    exposedPorts: new Set(isRecord(ports) ? Object.keys(ports) : []),
    environmentNames: new Set(
      entries.flatMap((entry) => (typeof entry === "string" ? [entry.split("=", 1)[0] ?? ""] : [])),
    ),
  };
}

/** `VOLUME [/data]`, as builders write it into the history, with or without `/bin/sh -c #(nop)` before it. */
function readVolumes(history: unknown): Set<string> {
  const steps = Array.isArray(history) ? history.filter(isRecord) : [];
  return new Set(
    steps.flatMap(({ created_by: by }) => {
      const paths =
        typeof by === "string" ? /(?:^|#\(nop\)\s*)VOLUME\s+\[?([^\]]+)/.exec(by)?.[1] : undefined;
      return (paths ?? "").split(/\s+/).filter((path) => path !== "");
    }),
  );
}

function toShown(names: ReadonlySet<string>): string[] {
  return [...names].slice(0, MAX_SHOWN).map((name) => name.slice(0, MAX_SHOWN));
}

// Reads archives from before images were stored as blobs: one file, `<bundles>/<hex>.tar`, that this platform wrote.

/** No such archive has more entries: two documents, and the layers. */
const MAX_ENTRIES = BUNDLE_LIMITS.layers + 2;

const manifestShape = z.tuple([z.looseObject({ Config: z.string(), Layers: z.array(z.string()) })]);

/** The configuration, and the sizes of the layers. Undefined if there is no such archive. */
async function readOldArchive(environment: Environment, archiveDigest: string) {
  const file = await open(oldArchivePath(environment, archiveDigest), "r").catch(ignoreAbsent);
  if (file === undefined) return undefined;
  try {
    const { size: archiveBytes } = await file.stat();
    const entries = await listEntries(file, archiveBytes);
    const document = await readDocument(file, entries, "manifest.json");
    const [{ Config, Layers }] = parseDocument(manifestShape, document, "manifest.json", "archive");
    const config = await readDocument(file, entries, Config);
    const layers = Layers.map((name) => ({ bytes: requireEntry(entries, name).size }));
    return { config, layers, archiveBytes };
  } finally {
    await file.close();
  }
}

interface Entry {
  offset: number;
  size: number;
}

/** Hops from header to header: an archive of gigabytes takes a few reads. */
async function listEntries(file: FileHandle, end: number): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  for (let at = 0; at + BLOCK <= end && entries.size < MAX_ENTRIES;) {
    const { buffer } = await file.read(Buffer.alloc(BLOCK), 0, BLOCK, at);
    const header = readHeader(buffer);
    if (header === undefined) break;
    const { name, size } = header;
    entries.set(name, { offset: at + BLOCK, size });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}

async function readDocument(file: FileHandle, entries: ReadonlyMap<string, Entry>, name: string) {
  const { offset, size } = requireEntry(entries, name);
  if (size > BUNDLE_LIMITS.documentBytes) throw new Error(`${name} of a stored archive is too large`);
  return (await file.read(Buffer.alloc(size), 0, size, offset)).buffer;
}

function requireEntry(entries: ReadonlyMap<string, Entry>, name: string): Entry {
  const entry = entries.get(name);
  if (entry === undefined) throw new Error(`a stored archive has no ${name}`);
  return entry;
}

function ignoreAbsent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
