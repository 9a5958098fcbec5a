/**
 * Refuses layers that some engine can't unpack, or unpacks to something else than others: what is at a path must not depend on the
 * engine. Engines differ in whether they see lower layers while they unpack one, in what they do with a path that comes twice, and in
 * what a whiteout hides of its own layer.
 */
import { badBundle } from "./bad-bundle";
import { type WorkBudget, split } from "./link-map";
import { type PathKind, type PathRecord, PathTable } from "./path-table";
import type { TarEntry } from "./tar-scanner";
import { toText } from "./tar-text";

const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";

/** Of one layer, by their names. Tools write one. */
const MOST_GLOBALS = 16;

const KINDS: Record<TarEntry["type"], PathKind> = {
  file: "file",
  // Linked files are files.
  link: "file",
  directory: "directory",
  symlink: "symlink",
  other: "other",
  global: "gone",
};

/** Where an entry's path leads, without a leading slash; "" is the root. */
interface Places {
  /** The parts of the path as it is in the tar. */
  written: readonly string[];
  real: string;
  /** For an engine that sees only this layer. */
  realInLayer: string;
  /** Of a hard link. */
  target: string | undefined;
}

export class LayerPaths {
  #table = new PathTable();
  #layer = -1;
  #name = "";
  /** Names of this layer's global headers. */
  #globals = new Set<string>();
  /** Entries of one folder usually follow each other. */
  #lastFolder: { real: string; hiddenBelow: number } | undefined;

  constructor(readonly budget: WorkBudget) {}

  /** @param name in the archive, for messages */
  startLayer(name: string): void {
    this.#layer += 1;
    this.#name = name;
    this.#lastFolder = undefined;
    this.#globals.clear();
    if (this.#layer === 0) this.#set("", "directory", 0);
  }

  add(entry: TarEntry, { written, real, realInLayer, target }: Places): void {
    this.budget.spend(real.length, entry.name);
    if (real === "") return;
    const [folder, name] = [folderOf(real), real.slice(real.lastIndexOf("/") + 1)];
    const above = written.slice(0, -1);
    if (above.some(isWhiteout)) this.#refuse(entry, "uses a whiteout as a folder");
    this.#requireFolder(entry, above.join("/"), folder, folderOf(realInLayer));
    const hiddenBelow = this.#enter(entry, folder);
    if (isWhiteout(name)) return this.#hide(entry, folder, name);
    if (this.#globals.has(real)) this.#refuse(entry, "contains a global header of the same name");
    const known = this.#table.get(real);
    const isKnown = known !== undefined && known.layer >= hiddenBelow;
    if (isKnown && known.layer === this.#layer) {
      if (known.kind === "gone") this.#refuse(entry, "removes and contains the same path");
      if (known.kind !== "directory" || entry.type !== "directory")
        this.#refuse(entry, "contains the same path twice");
      return;
    }
    if (entry.type === "link") this.#requireTarget(entry, target ?? "");
    const isMerged = isKnown && known.kind === "directory" && entry.type === "directory";
    this.#set(real, KINDS[entry.type], isMerged ? known.hidesBelow : this.#layer);
    if (!isMerged) this.#lastFolder = undefined;
  }

  /** Some engines ignore a global header; others first remove what has its name. */
  addGlobal(entry: TarEntry, written: readonly string[]): void {
    const [name = ""] = written;
    const { kind = "gone" } = this.#table.get(name) ?? {};
    if (written.length !== 1 || isWhiteout(name) || kind !== "gone")
      this.#refuse(entry, "contains a global header with a name that engines take for an entry's");
    this.#globals.add(name);
    if (this.#globals.size > MOST_GLOBALS) this.#refuse(entry, "contains too many global headers");
  }

  /** Engines create missing folders, but not what a link leads to. Those that see this layer alone need it there. */
  #requireFolder(entry: TarEntry, written: string, real: string, realInLayer: string): void {
    const isInLayer = (path: string) => this.#table.get(path)?.layer === this.#layer;
    const isThere = (path: string) => this.#table.get(path)?.kind === "directory";
    const isMissing =
      (written !== real && !isThere(real)) ||
      (written !== realInLayer && !(isThere(realInLayer) && (realInLayer === "" || isInLayer(realInLayer))));
    if (isMissing) this.#refuse(entry, "contains a path below a link to a folder that doesn't exist");
  }

  /** Goes through the folders above an entry. Returns the layer below which everything in the last one is hidden. */
  #enter(entry: TarEntry, folder: string): number {
    if (this.#lastFolder?.real === folder) return this.#lastFolder.hiddenBelow;
    let hiddenBelow = this.#table.get("")?.hidesBelow ?? 0;
    for (let end = 0; end < folder.length;) {
      const next = folder.indexOf("/", end + 1);
      end = next < 0 ? folder.length : next;
      const path = folder.slice(0, end);
      this.budget.spend(end, entry.name);
      const known = this.#table.get(path);
      const isKnown = known !== undefined && known.layer >= hiddenBelow;
      if (isKnown && known.kind === "gone" && known.layer === this.#layer)
        this.#refuse(entry, "removes and contains the same path");
      if (isKnown && (known.kind === "file" || known.kind === "other"))
        this.#refuse(entry, `contains a path below ${toText(path).slice(0, 120)}, which is not a folder`);
      const hides = isKnown ? known.hidesBelow : hiddenBelow;
      this.#set(path, "directory", hides);
      hiddenBelow = Math.max(hiddenBelow, hides);
    }
    this.#lastFolder = { real: folder, hiddenBelow };
    return hiddenBelow;
  }

  #hide(entry: TarEntry, folder: string, name: string): void {
    if (entry.type !== "file" || entry.size > 0)
      this.#refuse(entry, "contains a whiteout that is not an empty file");
    this.#lastFolder = undefined;
    if (name === OPAQUE) return this.#set(folder, "directory", this.#layer);
    const hidden = name.slice(WHITEOUT.length);
    if (["", ".", ".."].includes(hidden) || hidden.startsWith(WHITEOUT))
      this.#refuse(entry, "contains a whiteout that engines don't know");
    const path = folder === "" ? hidden : `${folder}/${hidden}`;
    if (this.#table.get(path)?.layer === this.#layer && this.#table.get(path)?.kind !== "gone")
      this.#refuse(entry, "removes and contains the same path");
    this.#set(path, "gone", this.#layer);
  }

  /** A hard link is to a file that this layer contained before: engines unpack a layer where the others need not be. */
  #requireTarget(entry: TarEntry, target: string): void {
    const known = this.#table.get(target);
    const isThere = known?.layer === this.#layer && known.kind !== "gone" && known.kind !== "directory";
    if (split(entry.linkName).includes("..") || !isThere)
      this.#refuse(entry, "contains a hard link to a file that doesn't precede it in this layer");
  }

  #set(path: string, kind: PathKind, hidesBelow: PathRecord["hidesBelow"]): void {
    this.#table.set(path, { kind, layer: this.#layer, hidesBelow });
  }

  #refuse(entry: TarEntry, what: string): never {
    const path = toText(entry.name);
    throw badBundle("UNSAFE_PATH", path, `The layer ${this.#name} ${what}: ${path.slice(0, 120)}.`);
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

function isWhiteout(name: string): boolean {
  return name.startsWith(WHITEOUT);
}
