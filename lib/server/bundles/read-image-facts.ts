/**
 * What an image says about itself, read from its stored archive (`write-archive.ts`) without touching its layers'
 * content.
 */
import { open, type FileHandle } from "node:fs/promises";
import { z } from "zod";
import { isRecord } from "@/lib/domain/json-text/json-value";
import type { Environment } from "../platform/environment";
import { sha256 } from "./archive-index";
import { BUNDLE_LIMITS } from "./bad-bundle";
import { archivePath } from "./bundle-store";
import { BLOCK, readHeader } from "./formats/tar-header";
import { pairLayers, parseConfig, parseDocument } from "./image";

export interface ImageLayerFacts {
  /** `sha256:…` of the layer's content. The same layer of two images has the same one. */
  diffId: string;
  /** As stored, usually compressed. */
  bytes: number;
}

export interface ImageFacts {
  /** `sha256:…` of the configuration: what the engine runs. */
  digest: string;
  /** Of the stored archive. */
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
}

/** No archive that this platform wrote has more entries: two documents, and the layers. */
const MAX_ENTRIES = BUNDLE_LIMITS.layers + 2;
/** Of each list, and of each name in it. */
const MAX_SHOWN = 200;

const manifestShape = z.tuple([z.looseObject({ Config: z.string(), Layers: z.array(z.string()) })]);

/** Undefined if the archive is not in the store, as for the demo's apps, which run as processes. */
export async function readImageFacts(
  environment: Environment,
  archiveDigest: string,
): Promise<ImageFacts | undefined> {
  const file = await open(archivePath(environment, archiveDigest), "r").catch(ignoreAbsent);
  if (file === undefined) return undefined;
  try {
    const { size: archiveBytes } = await file.stat();
    const entries = await listEntries(file, archiveBytes);
    const document = await readDocument(file, entries, "manifest.json");
    const [{ Config, Layers }] = parseDocument(manifestShape, document, "manifest.json");
    const bytes = await readDocument(file, entries, Config);
    const { config, rootfs, architecture, history } = parseConfig(bytes, Config);
    const stored = Layers.map((name) => ({ bytes: requireEntry(entries, name).size }));
    return {
      digest: sha256(bytes),
      archiveBytes,
      layers: pairLayers(stored, rootfs.diff_ids),
      architecture: architecture.slice(0, MAX_SHOWN),
      volumes: readVolumes(history),
      ...describeConfig(config),
    };
  } finally {
    await file.close();
  }
}

/** How many of an image's layers another image has too: those need no second look. */
export function countSharedLayers(image: ImageFacts, other: ImageFacts): number {
  const known = new Set(other.layers.map(({ diffId }) => diffId));
  return image.layers.filter(({ diffId }) => known.has(diffId)).length;
}

/** Engines take members in any case, so that `"user"` counts too. */
function describeConfig(config: unknown): Pick<ImageFacts, "user" | "exposedPorts" | "environmentNames"> {
  const members = (name: string) =>
    Object.entries(isRecord(config) ? config : {}).flatMap(([key, value]) =>
      key.toLowerCase() === name ? [value] : [],
    );
  const user = members("user").at(-1);
  const ports = members("exposedports").flatMap((value) => (isRecord(value) ? Object.keys(value) : []));
  const environment = members("env")
    .flat()
    .flatMap((entry) => (typeof entry === "string" ? [entry.split("=", 1)[0] ?? ""] : []));
  return {
    user: typeof user === "string" ? user.slice(0, MAX_SHOWN) : "",
    exposedPorts: toShown(ports),
    environmentNames: toShown(environment),
  };
}

/** `VOLUME [/data]`, as builders write it into the history, with or without `/bin/sh -c #(nop)` before it. */
function readVolumes(history: unknown): string[] {
  const steps = Array.isArray(history) ? history.filter(isRecord) : [];
  return toShown(
    steps.flatMap(({ created_by: by }) => {
      const paths =
        typeof by === "string" ? /(?:^|#\(nop\)\s*)VOLUME\s+\[?([^\]]+)/.exec(by)?.[1] : undefined;
      return (paths ?? "").split(/\s+/).filter((path) => path !== "");
    }),
  );
}

function toShown(names: string[]): string[] {
  return [...new Set(names)].slice(0, MAX_SHOWN).map((name) => name.slice(0, MAX_SHOWN));
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
