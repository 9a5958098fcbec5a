/**
 * What the paths of an image are, in a fixed few bytes each: half a million of them fit beside everything else that a thread may
 * keep. Keys are hashes with a salt of this process, so nobody can make two paths that it takes for one.
 */
import { hash, randomBytes } from "node:crypto";

export type PathKind = "file" | "directory" | "symlink" | "other" | "gone";

export interface PathRecord {
  kind: PathKind;
  /** The last layer that wrote or passed it, counted from 0. */
  layer: number;
  /** What lower layers than this one had below it is hidden. */
  hidesBelow: number;
}

const KINDS: readonly PathKind[] = ["file", "directory", "symlink", "other", "gone"];
const SALT = randomBytes(16).toString("hex");

/** Slots are never freed. Of each slot: two halves of the key, and the record; 0 is an empty slot. */
const WORDS = 3;

export class PathTable {
  #slots = new Uint32Array(1024 * WORDS);
  #count = 0;

  /** @param path without a leading slash; "" for the root */
  get(path: string): PathRecord | undefined {
    const [high, low] = keyOf(path);
    const word = this.#slots[this.#find(high, low) + 2] ?? 0;
    return word === 0 ? undefined : unpack(word);
  }

  set(path: string, record: PathRecord): void {
    const [high, low] = keyOf(path);
    const at = this.#find(high, low);
    if (this.#slots[at + 2] === 0) this.#count += 1;
    this.#slots.set([high, low, pack(record)], at);
    if (this.#count * WORDS * 2 > this.#slots.length) this.#grow();
  }

  /** The slot with this key, or the empty one where it belongs. */
  #find(high: number, low: number): number {
    const slots = this.#slots.length / WORDS;
    for (let slot = low % slots; ; slot = (slot + 1) % slots) {
      const at = slot * WORDS;
      if (this.#slots[at + 2] === 0 || (this.#slots[at] === high && this.#slots[at + 1] === low)) return at;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += WORDS)
      if (old[at + 2] !== 0)
        this.#slots.set(old.subarray(at, at + WORDS), this.#find(old[at] ?? 0, old[at + 1] ?? 0));
  }
}

function keyOf(path: string): [high: number, low: number] {
  const digest = hash("sha1", SALT + path, "buffer");
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
}

function pack({ kind, layer, hidesBelow }: PathRecord): number {
  return 1 + KINDS.indexOf(kind) + layer * 8 + hidesBelow * 8 * 256;
}

function unpack(word: number): PathRecord {
  return {
    kind: KINDS[(word % 8) - 1] ?? "other",
    layer: Math.floor(word / 8) % 256,
    hidesBelow: Math.floor(word / (8 * 256)),
  };
}
