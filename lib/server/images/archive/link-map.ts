/** Where the paths of a tar end up if it is unpacked in order and links are followed, as engines do. */
import { badBundle, BUNDLE_LIMITS } from "./bad-bundle";
import type { TarEntry } from "./tar-scanner";
import { toText } from "./tar-text";

/** What following the paths of one image costs: counted as it is done, and refused before more of it is done than one image may cost. */
export class WorkBudget {
  #spent = 0;

  get spent(): number {
    return this.#spent;
  }

  /** @param characters that are looked at; of a part of a path, and `STEP` more */
  spend(characters: number, path: string): void {
    this.#spent += characters;
    if (this.#spent > BUNDLE_LIMITS.pathWork)
      throw badBundle(
        "TOO_MANY_ENTRIES",
        toText(path),
        "The image's paths and links are too long to follow.",
      );
  }
}

/** What each part of a path costs, however short it is, in characters: looking one up takes as long as hashing so many. */
const STEP = 24;

/** As in Linux. */
const MAX_HOPS = 40;

/** What keeping a part of a link's path takes, in characters. */
const NODE_TEXT = 96;

/** Parts of links' paths are numbered. */
const ROOT = 0;
/** No link is here or below. */
const NOWHERE = -1;

interface Place {
  /** Without a leading slash. */
  real: string;
  node: number;
}

export class LinkMap {
  /** Of each part of a link's own real path, by the number of its folder and its name. A path is followed part by part, never as a whole. */
  #nodes = new Map<string, number>();
  /** By the link's number; "." and doubled slashes are left out. */
  #targets = new Map<number, string>();
  #text = 0;
  /** Entries of one folder usually follow each other. */
  #lastFolder: { written: string; place: Place } | undefined;

  constructor(readonly budget: WorkBudget) {}

  /** The entry's real path; "" for the root. From now on, a link at this path is followed. */
  add(entry: TarEntry, parts: readonly string[]): string {
    const name = parts.at(-1);
    if (name === undefined) return "";
    const folder = this.#resolveFolder(entry, parts.slice(0, -1));
    const real = folder.real === "" ? name : `${folder.real}/${name}`;
    const target = this.#findTarget(entry);
    const known = this.#find(folder.node, name);
    if (target === undefined && !this.#targets.has(known)) return real;
    this.#lastFolder = undefined;
    this.#targets.delete(known);
    if (target !== undefined) this.#follow(entry, real, target);
    return real;
  }

  /** Where a hard link leads. What is there may be a link itself, which engines don't follow. */
  realPath(entry: TarEntry): string {
    const [folder, name] = this.#resolveLink(entry);
    return [folder.real, name].filter(Boolean).join("/");
  }

  #follow(entry: TarEntry, real: string, target: string): void {
    let node = ROOT;
    for (const part of real.split("/")) {
      this.budget.spend(part.length + STEP, entry.name);
      const key = `${node}/${part}`;
      const known = this.#nodes.get(key);
      node = known ?? this.#nodes.size + 1;
      if (known !== undefined) continue;
      this.#keep(entry, NODE_TEXT + part.length);
      this.#nodes.set(key, node);
    }
    this.#keep(entry, target.length);
    this.#targets.set(node, `${target.startsWith("/") ? "/" : ""}${split(target).join("/")}`);
  }

  #keep(entry: TarEntry, characters: number): void {
    this.#text += characters;
    if (this.#text > BUNDLE_LIMITS.linkText)
      throw badBundle("TOO_MANY_ENTRIES", toText(entry.name), "The image contains too many symbolic links.");
  }

  /** A hard link to a symbolic link is that link under another name. */
  #findTarget(entry: TarEntry): string | undefined {
    if (entry.type === "symlink") return entry.linkName;
    if (entry.type !== "link" || this.#targets.size === 0) return undefined;
    const [folder, name = ""] = this.#resolveLink(entry);
    return this.#targets.get(this.#find(folder.node, name));
  }

  #resolveLink(entry: TarEntry): [folder: Place, name: string | undefined] {
    const parts = split(entry.linkName);
    return [this.#resolve(entry, parts.slice(0, -1)), parts.at(-1)];
  }

  #resolveFolder(entry: TarEntry, parts: readonly string[]): Place {
    const written = parts.join("/");
    if (this.#lastFolder?.written !== written)
      this.#lastFolder = { written, place: this.#resolve(entry, parts) };
    return this.#lastFolder.place;
  }

  #resolve(entry: TarEntry, parts: readonly string[]): Place {
    if (this.#targets.size === 0) return { real: parts.join("/"), node: NOWHERE };
    const waiting = [...parts].reverse();
    /** The path so far. */
    const names: string[] = [];
    const nodes = [ROOT];
    let hops = 0;
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      this.budget.spend(part.length + STEP, entry.name);
      if (part === "..") {
        if (names.pop() !== undefined) nodes.pop();
        continue;
      }
      const node = this.#find(nodes.at(-1) ?? NOWHERE, part);
      const target = this.#targets.get(node);
      if (target === undefined) {
        names.push(part);
        nodes.push(node);
        continue;
      }
      hops += 1;
      if (hops > MAX_HOPS)
        throw badBundle("UNSAFE_PATH", toText(entry.name), "A path contains a loop of links.");
      this.budget.spend(target.length, entry.name);
      if (target.startsWith("/")) [names.length, nodes.length] = [0, 1];
      for (const next of split(target).reverse()) waiting.push(next);
    }
    return { real: names.join("/"), node: nodes.at(-1) ?? NOWHERE };
  }

  #find(folder: number, name: string): number {
    return folder === NOWHERE ? NOWHERE : (this.#nodes.get(`${folder}/${name}`) ?? NOWHERE);
  }
}

/** The parts of a path; "." and doubled slashes mean nothing. */
export function split(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}
