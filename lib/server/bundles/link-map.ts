/** Where the paths of a tar end up if it is unpacked in order and links are followed, as engines do. */
import { badBundle, BUNDLE_LIMITS } from "./bad-bundle";
import type { TarEntry } from "./formats/tar-scanner";

/** As in Linux. */
const MAX_HOPS = 40;

export class LinkMap {
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
export function split(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}
