/** `platform-app.json` at the root of the image, in the union of its layers. */
import { MANIFEST_LIMITS } from "@/lib/contract/manifest";
import { MANIFEST_FILE } from "@/lib/contract/names";
import { badBundle } from "./bad-bundle";
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
  #links = new Set<string>();

  /** Returns a sink if it needs the entry's content. Throws for entries that no honest layer contains. */
  entry(entry: TarEntry): Sink | undefined {
    const parts = entry.name.split("/").filter((part) => part !== "" && part !== ".");
    if (entry.name.startsWith("/") || parts.includes(".."))
      throw badBundle("UNSAFE_PATH", entry.name, "A layer contains a path outside the image.");
    const [first, second] = parts;
    if (parts.length === 2 && second === MANIFEST_FILE && first !== undefined && this.#links.has(first)) {
      const message = `A layer reaches ${MANIFEST_FILE} through a link.`;
      throw badBundle("UNSAFE_PATH", entry.name, message, "Copy it to the image's root.");
    }
    if (parts.length !== 1 || first === undefined) return undefined;
    if (entry.type === "symlink") this.#links.add(first);
    if (first === WHITEOUT || first === OPAQUE) this.#hidden = true;
    return first === MANIFEST_FILE ? this.#take(entry) : undefined;
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
      throw badBundle("MANIFEST_TWICE", MANIFEST_FILE, `A layer contains ${MANIFEST_FILE} twice.`);
    const chunks: Buffer[] = [];
    this.#inLayer = { type: entry.type, size: entry.size, chunks };
    const wanted = entry.type === "file" && entry.size <= MANIFEST_LIMITS.bytes;
    return wanted ? (chunk) => void chunks.push(Buffer.from(chunk)) : undefined;
  }
}
