/** `platform-app.json` at the root of the image, in the union of its layers. */
import { MANIFEST_LIMITS } from "@/lib/contract/manifest-terms";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import { badBundle } from "./bad-bundle";
import { LinkMap, split } from "./link-map";
import type { Sink, TarEntry } from "./formats/tar-scanner";

const WHITEOUT = `.wh.${MANIFEST_FILE}`;
const OPAQUE = ".wh..wh..opq";

const ENTRY_NOUNS = {
  directory: "a folder",
  symlink: "a symbolic link",
  link: "a hard link",
  other: "not a regular file",
} as const;

type Shown = { type: TarEntry["type"]; size: number; chunks: Buffer[] };

/** Feed it each layer's entries, bottom layer first. */
export class RootManifest {
  #below: Shown | undefined;
  #inLayer: Shown | undefined;
  #hidden = false;
  #name = "";
  /** Some engines unpack a layer over the layers below it, some into an empty folder. Both follow links. */
  #image = new LinkMap();
  #layer = new LinkMap();

  /** @param layer its name in the archive, for messages */
  startLayer(layer: string): void {
    this.#name = layer;
    this.#layer = new LinkMap();
  }

  /** Returns a sink if it needs the entry's content. Throws for entries that no honest layer contains. */
  entry(entry: TarEntry): Sink | undefined {
    const parts = split(entry.name);
    // Kaniko writes an entry for the root itself.
    const isRoot = parts.length === 0 && entry.type === "directory";
    const isOutside = entry.name.startsWith("/") || parts.length === 0 || parts.includes("..");
    if (isOutside && !isRoot)
      throw badBundle(
        "UNSAFE_PATH",
        entry.name,
        `The layer ${this.#name} contains a path outside the image.`,
      );
    for (const links of [this.#image, this.#layer])
      this.#requireDirect(entry, parts, links.add(entry, parts));
    if (parts.length !== 1) return undefined;
    const [name] = parts;
    if (name === WHITEOUT || name === OPAQUE) this.#hidden = true;
    return name === MANIFEST_FILE ? this.#take(entry) : undefined;
  }

  /** A manifest that is written or hidden through a link or a folder would not be the one that is shown. */
  #requireDirect(entry: TarEntry, parts: readonly string[], real: string): void {
    if (real.startsWith(`${MANIFEST_FILE}/`)) {
      const message = `The layer ${this.#name} uses ${MANIFEST_FILE} as a folder.`;
      throw badBundle("MANIFEST_NOT_A_FILE", entry.name, message);
    }
    if (parts.length === 1 || ![MANIFEST_FILE, WHITEOUT, OPAQUE].includes(real)) return;
    const message = `The layer ${this.#name} reaches ${MANIFEST_FILE} through a link.`;
    throw badBundle("UNSAFE_PATH", entry.name, message, "Copy it to the image's root.");
  }

  /** A whiteout hides lower layers, never its own. */
  endLayer(): void {
    if (this.#hidden) this.#below = undefined;
    this.#below = this.#inLayer ?? this.#below;
    this.#inLayer = undefined;
    this.#hidden = false;
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

  #take(entry: TarEntry): Sink | undefined {
    if (this.#inLayer !== undefined)
      throw badBundle(
        "MANIFEST_TWICE",
        MANIFEST_FILE,
        `The layer ${this.#name} contains ${MANIFEST_FILE} twice.`,
      );
    const chunks: Buffer[] = [];
    this.#inLayer = { type: entry.type, size: entry.size, chunks };
    const wanted = entry.type === "file" && entry.size <= MANIFEST_LIMITS.bytes;
    return wanted ? (chunk) => void chunks.push(Buffer.from(chunk)) : undefined;
  }
}
