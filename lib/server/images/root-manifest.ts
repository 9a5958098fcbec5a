/** `platform-app.json` at the root of the image, in the union of its layers. */
import { MANIFEST_FILE, MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { badBundle, BUNDLE_LIMITS } from "./bad-bundle";
import type { Sink, TarEntry } from "./tar-scanner";

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

// Where the paths of a tar end up if it is unpacked in order and links are followed, as engines do.

/** As in Linux. */
const MAX_HOPS = 40;

class LinkMap {
  /** By their own real path, without a leading slash. */
  #targets = new Map<string, string>();
  #text = 0;
  /** Entries of one folder usually follow each other. */
  #lastFolder: { written: string; real: string } | undefined;

  /** The entry's real path; "" for the root. From now on, a link at this path is followed. */
  add(entry: TarEntry, parts: readonly string[]): string {
    const name = parts.at(-1);
    if (name === undefined) return "";
    const folder = this.#resolveFolder(entry, parts.slice(0, -1));
    const real = folder === "" ? name : `${folder}/${name}`;
    const target = this.#findTarget(entry);
    if (target === undefined && !this.#targets.has(real)) return real;
    this.#lastFolder = undefined;
    this.#targets.delete(real);
    if (target !== undefined) this.#follow(entry, real, target);
    return real;
  }

  #follow(entry: TarEntry, real: string, target: string): void {
    this.#text += real.length + target.length;
    if (this.#text > BUNDLE_LIMITS.linkText)
      throw badBundle("TOO_MANY_ENTRIES", entry.name, "The image contains too many symbolic links.");
    this.#targets.set(real, target);
  }

  /** A hard link to a symbolic link is that link under another name. */
  #findTarget(entry: TarEntry): string | undefined {
    if (entry.type === "symlink") return entry.linkName;
    if (entry.type !== "link" || this.#targets.size === 0) return undefined;
    const parts = split(entry.linkName);
    const folder = this.#resolve(entry, parts.slice(0, -1));
    return this.#targets.get([folder, parts.at(-1)].filter(Boolean).join("/"));
  }

  #resolveFolder(entry: TarEntry, parts: readonly string[]): string {
    const written = parts.join("/");
    if (this.#targets.size === 0) return written;
    if (this.#lastFolder?.written !== written)
      this.#lastFolder = { written, real: this.#resolve(entry, parts) };
    return this.#lastFolder.real;
  }

  #resolve(entry: TarEntry, parts: readonly string[]): string {
    const waiting = [...parts].reverse();
    const reached: string[] = [];
    let hops = 0;
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      if (part === "..") reached.pop();
      else reached.push(part);
      const target = part === ".." ? undefined : this.#targets.get(reached.join("/"));
      if (target === undefined) continue;
      hops += 1;
      if (hops > MAX_HOPS) throw badBundle("UNSAFE_PATH", entry.name, "A path contains a loop of links.");
      if (target.startsWith("/")) reached.length = 0;
      else reached.pop();
      waiting.push(...split(target).reverse());
    }
    return reached.join("/");
  }
}

/** The parts of a path; "." and doubled slashes mean nothing. */
function split(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}
