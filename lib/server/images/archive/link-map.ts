/** Where the paths of a tar end up if it is unpacked in order and links are followed, as engines do. */
import { badBundle, BUNDLE_LIMITS } from "./bad-bundle";
import { type TarEntry, toText } from "./tar-scanner";

/** What following the paths of one image may cost, in characters that are looked at: counted, and refused before it is spent. */
export class WorkBudget {
  #left = BUNDLE_LIMITS.pathWork;

  spend(characters: number, path: string): void {
    this.#left -= characters;
    if (this.#left < 0)
      throw badBundle(
        "TOO_MANY_ENTRIES",
        toText(path),
        "The image's paths and links are too long to follow.",
      );
  }
}

/** As in Linux. */
const MAX_HOPS = 40;

export class LinkMap {
  /** By their own real path, without a leading slash. */
  #targets = new Map<string, string>();
  #text = 0;
  /** Entries of one folder usually follow each other. */
  #lastFolder: { written: string; real: string } | undefined;

  constructor(readonly budget: WorkBudget) {}

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

  /** Where a hard link leads. What is there may be a link itself, which engines don't follow. */
  realPath(entry: TarEntry): string {
    const parts = split(entry.linkName);
    const folder = this.#resolve(entry, parts.slice(0, -1));
    return [folder, parts.at(-1)].filter(Boolean).join("/");
  }

  #follow(entry: TarEntry, real: string, target: string): void {
    this.#text += real.length + target.length;
    if (this.#text > BUNDLE_LIMITS.linkText)
      throw badBundle("TOO_MANY_ENTRIES", toText(entry.name), "The image contains too many symbolic links.");
    this.#targets.set(real, target);
  }

  /** A hard link to a symbolic link is that link under another name. */
  #findTarget(entry: TarEntry): string | undefined {
    if (entry.type === "symlink") return entry.linkName;
    if (entry.type !== "link" || this.#targets.size === 0) return undefined;
    return this.#targets.get(this.realPath(entry));
  }

  #resolveFolder(entry: TarEntry, parts: readonly string[]): string {
    const written = parts.join("/");
    if (this.#targets.size === 0) return written;
    if (this.#lastFolder?.written !== written)
      this.#lastFolder = { written, real: this.#resolve(entry, parts) };
    return this.#lastFolder.real;
  }

  #resolve(entry: TarEntry, parts: readonly string[]): string {
    if (this.#targets.size === 0) return parts.join("/");
    const waiting = [...parts].reverse();
    /** The path so far, and those of its folders. */
    const reached = [""];
    let hops = 0;
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      if (part === "..") {
        if (reached.length > 1) reached.pop();
        continue;
      }
      const above = reached.at(-1) ?? "";
      const here = above === "" ? part : `${above}/${part}`;
      this.budget.spend(here.length, entry.name);
      const target = this.#targets.get(here);
      if (target === undefined) {
        reached.push(here);
        continue;
      }
      hops += 1;
      if (hops > MAX_HOPS)
        throw badBundle("UNSAFE_PATH", toText(entry.name), "A path contains a loop of links.");
      if (target.startsWith("/")) reached.length = 1;
      waiting.push(...split(target).reverse());
    }
    return reached.at(-1) ?? "";
  }
}

/** The parts of a path; "." and doubled slashes mean nothing. */
export function split(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}
