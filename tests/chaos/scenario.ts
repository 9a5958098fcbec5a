/** What every scenario gets and reports. */

export interface ChaosOptions {
  /** The same seed makes the same choices. What the machine does meanwhile still differs. */
  seed: number;
  /** The whole promise, which takes minutes. Otherwise a short form of it for `npm test`. */
  full: boolean;
}

/** Throws when a promise is broken, with a message that says which and how. */
export type Scenario = (options: ChaosOptions) => Promise<void>;

export function figure(name: string, value: number, unit: string): void {
  console.log(`figure ${name} ${Number.isInteger(value) ? value : value.toFixed(2)} ${unit}`);
}

/** Throws unless the promise was kept. */
export function expectKept(isKept: boolean, broken: string): void {
  if (!isKept) throw new Error(broken);
}

export interface Random {
  /** From 0 to below 1. */
  next: () => number;
  /** An integer, both ends included. */
  between: (low: number, high: number) => number;
  pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
}

/** Mulberry32: small, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return { next, between, pick: (items) => items[between(0, items.length - 1)] ?? items[0] };
}

/** The largest value, or 0 if there is none. */
export function greatest(values: Iterable<number>): number {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most;
}
