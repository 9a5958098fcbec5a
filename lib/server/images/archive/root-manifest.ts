/** `platform-app.json` at the root of the image, in the union of its layers. */
import { MANIFEST_FILE, MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { badBundle } from "./bad-bundle";
import { LayerPaths } from "./layer-paths";
import { LinkMap, split, WorkBudget } from "./link-map";
import type { Sink, TarEntry } from "./tar-scanner";
import { toText } from "./tar-text";

const WHITEOUT = `.wh.${MANIFEST_FILE}`;
const OPAQUE = ".wh..wh..opq";

const ENTRY_NOUNS = {
  directory: "a folder",
  symlink: "a symbolic link",
  link: "a hard link",
  other: "not a regular file",
} as const;

type Shown = { type: keyof typeof ENTRY_NOUNS | "file"; size: number; chunks: Buffer[] };

/** Feed it each layer's entries, bottom layer first. */
export class RootManifest {
  #below: Shown | undefined;
  #inLayer: Shown | undefined;
  #hidden = false;
  #name = "";
  #paths: LayerPaths;
  /** Some engines unpack a layer over the layers below it, some into an empty folder. Both follow links. */
  #image: LinkMap;
  #layer: LinkMap;

  constructor(readonly budget = new WorkBudget()) {
    this.#paths = new LayerPaths(budget);
    this.#image = new LinkMap(budget);
    this.#layer = new LinkMap(budget);
  }

  /** @param layer its name in the archive, for messages */
  startLayer(layer: string): void {
    this.#name = layer;
    this.#layer = new LinkMap(this.budget);
    this.#paths.startLayer(layer);
  }

  /** Returns a sink if it needs the entry's content. Throws for entries that no honest layer contains. */
  entry(entry: TarEntry): Sink | undefined {
    this.budget.spend(entry.name.length + entry.linkName.length, entry.name);
    // Engines take an absolute path as one from the image's root.
    const parts = split(entry.name);
    // Kaniko writes an entry for the root itself.
    const isRoot = parts.length === 0 && entry.type === "directory";
    if ((parts.length === 0 || parts.includes("..")) && !isRoot)
      throw badBundle(
        "UNSAFE_PATH",
        toText(entry.name),
        `The layer ${this.#name} contains a path outside the image.`,
      );
    if (entry.type === "global") {
      this.#paths.addGlobal(entry, parts);
      return undefined;
    }
    const real = this.#image.add(entry, parts);
    const realInLayer = this.#layer.add(entry, parts);
    for (const each of [real, realInLayer]) this.#requireDirect(entry, parts, each);
    const [name] = parts;
    const isManifest = parts.length === 1 && name === MANIFEST_FILE;
    const sink = isManifest ? this.#take(entry, entry.type) : undefined;
    const target = entry.type === "link" ? this.#image.realPath(entry) : undefined;
    this.#paths.add(entry, { written: parts, real, realInLayer, target });
    if (parts.length === 1 && (name === WHITEOUT || name === OPAQUE)) this.#hidden = true;
    return sink;
  }

  /** A manifest that is written or hidden through a link or a folder would not be the one that is shown. */
  #requireDirect(entry: TarEntry, parts: readonly string[], real: string): void {
    if (real.startsWith(`${MANIFEST_FILE}/`)) {
      const message = `The layer ${this.#name} uses ${MANIFEST_FILE} as a folder.`;
      throw badBundle("MANIFEST_NOT_A_FILE", toText(entry.name), message);
    }
    if (parts.length === 1 || ![MANIFEST_FILE, WHITEOUT, OPAQUE].includes(real)) return;
    const message = `The layer ${this.#name} reaches ${MANIFEST_FILE} through a link.`;
    throw badBundle("UNSAFE_PATH", toText(entry.name), message, "Copy it to the image's root.");
  }

  /** A whiteout hides lower layers, never its own. */
  endLayer(): void {
    if (this.#hidden) this.#below = undefined;
    this.#below = this.#inLayer ?? this.#below;
    this.#inLayer = undefined;
    this.#hidden = false;
  }

  /** Whether there is anything of its name at the root. */
  get isThere(): boolean {
    return this.#below !== undefined;
  }

  /** The manifest's bytes. Throws if there is no acceptable manifest. */
  bytes(): Buffer {
    if (this.#below === undefined)
      throw badBundle("MANIFEST_MISSING", MANIFEST_FILE, `The image has no ${MANIFEST_FILE} at its root.`);
    const { type, size, chunks } = this.#below;
    if (type !== "file") {
      const message = `${MANIFEST_FILE} at the image's root is ${ENTRY_NOUNS[type]}.`;
      throw badBundle("MANIFEST_NOT_A_FILE", MANIFEST_FILE, message);
    }
    if (size > MANIFEST_LIMITS.bytes)
      throw badBundle("MANIFEST_TOO_LARGE", MANIFEST_FILE, `${MANIFEST_FILE} is larger than 1 MiB.`);
    return Buffer.concat(chunks);
  }

  #take(entry: TarEntry, type: Shown["type"]): Sink | undefined {
    if (this.#inLayer !== undefined)
      throw badBundle(
        "MANIFEST_TWICE",
        MANIFEST_FILE,
        `The layer ${this.#name} contains ${MANIFEST_FILE} twice.`,
      );
    const chunks: Buffer[] = [];
    this.#inLayer = { type, size: entry.size, chunks };
    const wanted = type === "file" && entry.size <= MANIFEST_LIMITS.bytes;
    return wanted ? (chunk) => void chunks.push(Buffer.from(chunk)) : undefined;
  }
}
