/**
 * What the paths of an image are, in a fixed few bytes each: half a million of them fit beside everything else that a thread may
 * keep. Keys are hashes with a secret of this process, so nobody can make two paths that it takes for one.
 */
import { randomBytes } from "node:crypto";

export type PathKind = "file" | "directory" | "symlink" | "other" | "gone";

export interface PathRecord {
  kind: PathKind;
  /** The last layer that wrote or passed it, counted from 0. */
  layer: number;
  /** What lower layers than this one had below it is hidden. */
  hidesBelow: number;
}

const KINDS: readonly PathKind[] = ["file", "directory", "symlink", "other", "gone"];

/** Slots are never freed. Of each slot: two halves of the key, and the record; 0 is an empty slot. */
const WORDS = 3;

export class PathTable {
  #slots = new Uint32Array(1024 * WORDS);
  #count = 0;
  #last = { path: "/", high: 0, low: 0, at: 0 };

  /** @param path without a leading slash; "" for the root */
  get(path: string): PathRecord | undefined {
    const word = this.#slots[this.#locate(path) + 2] ?? 0;
    return word === 0 ? undefined : unpack(word);
  }

  set(path: string, record: PathRecord): void {
    const at = this.#locate(path);
    if (this.#slots[at + 2] === 0) this.#count += 1;
    this.#slots[at] = this.#last.high;
    this.#slots[at + 1] = this.#last.low;
    this.#slots[at + 2] = pack(record);
    if (this.#count * WORDS * 2 > this.#slots.length) this.#grow();
  }

  /** A path is usually set right after it was looked for. */
  #locate(path: string): number {
    if (this.#last.path === path) return this.#last.at;
    const [high, low] = keyOf(path);
    const at = this.#find(high, low);
    this.#last = { path, high, low, at };
    return at;
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
    this.#last.path = "/";
    this.#slots = new Uint32Array(old.length * 2);
    for (let from = 0; from < old.length; from += WORDS) {
      if (old[from + 2] === 0) continue;
      const at = this.#find(old[from] ?? 0, old[from + 1] ?? 0);
      for (let word = 0; word < WORDS; word += 1) this.#slots[at + word] = old[from + word] ?? 0;
    }
  }
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

// HalfSipHash-2-4 with 64 bits of output: a hash with a key, made for tables whose keys others choose.

const KEY = [randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE()] as const;

/** @param path with one byte per character */
function keyOf(path: string): [high: number, low: number] {
  const state = { v0: KEY[0], v1: KEY[1] ^ 0xee, v2: 0x6c796765 ^ KEY[0], v3: 0x74656462 ^ KEY[1] };
  const whole = path.length - (path.length % 4);
  for (let at = 0; at < whole; at += 4) {
    const word =
      path.charCodeAt(at) |
      (path.charCodeAt(at + 1) << 8) |
      (path.charCodeAt(at + 2) << 16) |
      (path.charCodeAt(at + 3) << 24);
    mix(state, word);
  }
  let last = path.length << 24;
  for (let at = whole; at < path.length; at += 1) last |= path.charCodeAt(at) << (8 * (at - whole));
  mix(state, last);
  state.v2 ^= 0xee;
  const low = finish(state);
  state.v1 ^= 0xdd;
  return [finish(state), low];
}

interface State {
  v0: number;
  v1: number;
  v2: number;
  v3: number;
}

function mix(state: State, word: number): void {
  state.v3 ^= word;
  round(state);
  round(state);
  state.v0 ^= word;
}

function finish(state: State): number {
  for (let left = 4; left > 0; left -= 1) round(state);
  return (state.v1 ^ state.v3) >>> 0;
}

function round(state: State): void {
  let { v0, v1, v2, v3 } = state;
  v0 = (v0 + v1) | 0;
  v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
  v0 = (v0 << 16) | (v0 >>> 16);
  v2 = (v2 + v3) | 0;
  v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
  v0 = (v0 + v3) | 0;
  v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
  v2 = (v2 + v1) | 0;
  v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
  v2 = (v2 << 16) | (v2 >>> 16);
  state.v0 = v0;
  state.v1 = v1;
  state.v2 = v2;
  state.v3 = v3;
}
