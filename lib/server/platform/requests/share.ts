/**
 * Divides places between keys (organizations, apps, addresses) so that none of them can use up what they all share. Every
 * operation takes constant time, and a key without places and waiters leaves nothing behind.
 */

export interface ShareLimits {
  /** Places of all keys. A function if it changes: a lower limit ends no place, and waiters notice a higher one when a place is given back. */
  total: number | (() => number);
  perKey: number | (() => number);
  /** Waiters of all keys. */
  queue: number;
  queuePerKey: number;
  longestWaitMs: number;
}

export interface Place {
  waitedMs: number;
  /** Gives the place back, however often it is called. */
  leave: () => void;
}

export interface Refusal {
  /** Whose limit it is: the key's own, or that of all keys. */
  full: "key" | "total";
  /** When a place is likely to be free, estimated from how long recent ones were in use. */
  retryAfterSeconds: number;
}

export function isRefusal(entry: Place | Refusal): entry is Refusal {
  return "full" in entry;
}

export interface Share {
  /** A place at once, or after waiting in turn with the other keys, or the reason why there is none. Never rejects. */
  enter: (key: string, gone?: AbortSignal) => Promise<Place | Refusal>;
  /** A place, if one is free. */
  tryEnter: (key: string) => Place | Refusal;
  count: () => { taken: number; waiting: number; keys: number };
}

interface Key {
  name: string;
  taken: number;
  waiters: WaitingList<Waiter>;
  /** Its place among the keys whose next waiter may enter, if it is one of them. */
  turn?: Waiting<Key>;
  /** How long its places are in use, as a moving average. */
  holdMs: number;
}

interface Waiter {
  key: Key;
  since: number;
  answer: (entry: Place | Refusal) => void;
  inKey?: Waiting<Waiter>;
  inAll?: Waiting<Waiter>;
}

/** Assumed until the first place is given back. */
const HOLD_MS = 1_000;
const LONGEST_RETRY_SECONDS = 30;

export function createShare(limits: ShareLimits, clock: Clock = SYSTEM_CLOCK): Share {
  const { queue, queuePerKey, longestWaitMs } = limits;
  const total = typeof limits.total === "function" ? limits.total : constant(limits.total);
  const perKey = typeof limits.perKey === "function" ? limits.perKey : constant(limits.perKey);
  const keys = new Map<string, Key>();
  /** In the order of arrival, which is also the order in which they time out. */
  const waiters = new WaitingList<Waiter>();
  const turns = new WaitingList<Key>();
  let taken = 0;
  let holdMs = HOLD_MS;
  let cancelTimer: (() => void) | undefined;

  function tryEnter(name: string): Place | Refusal {
    const key = keys.get(name);
    if (key !== undefined && (key.waiters.size > 0 || key.taken >= perKey())) return refuse("key", key);
    if (taken >= total()) return refuse("total", key);
    return take(key ?? addKey(name), 0);
  }

  function enter(name: string, gone?: AbortSignal): Promise<Place | Refusal> {
    const entry = tryEnter(name);
    if ("leave" in entry || queuePerKey === 0) return Promise.resolve(entry);
    const key = keys.get(name);
    const oldest = key?.waiters.first?.value.since;
    // After a waiter that has waited long, a new one would wait as long, and then be refused.
    const isSlow = oldest !== undefined && clock.now() - oldest > longestWaitMs / 2;
    if ((key?.waiters.size ?? 0) >= queuePerKey || isSlow) return Promise.resolve(refuse("key", key));
    if (waiters.size >= queue) return Promise.resolve(refuse("total", key));
    return wait(key ?? addKey(name), gone);
  }

  function wait(key: Key, gone: AbortSignal | undefined): Promise<Place | Refusal> {
    return new Promise((resolve) => {
      const leave = () => giveUp(waiter);
      const answer = (entry: Place | Refusal) => {
        gone?.removeEventListener("abort", leave);
        resolve(entry);
      };
      const waiter: Waiter = { key, since: clock.now(), answer };
      waiter.inAll = waiters.push(waiter);
      waiter.inKey = key.waiters.push(waiter);
      gone?.addEventListener("abort", leave);
      if (gone?.aborted === true) return leave();
      line(key);
      setTimer();
    });
  }

  function giveUp(waiter: Waiter): void {
    const { key, answer } = waiter;
    remove(waiter);
    answer(refuse(key.taken >= perKey() ? "key" : "total", key));
    line(key);
  }

  function remove({ key, inAll, inKey }: Waiter): void {
    waiters.remove(inAll);
    key.waiters.remove(inKey);
  }

  function take(key: Key, waitedMs: number): Place {
    taken += 1;
    key.taken += 1;
    const since = clock.now();
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      taken -= 1;
      key.taken -= 1;
      const heldMs = clock.now() - since;
      key.holdMs += (heldMs - key.holdMs) / 8;
      holdMs += (heldMs - holdMs) / 8;
      line(key);
      admitWaiters();
    };
    return { waitedMs, leave };
  }

  function admitWaiters(): void {
    while (taken < total()) {
      const next = turns.first?.value.waiters.first?.value;
      if (next === undefined) return;
      const { key, since, answer } = next;
      remove(next);
      answer(take(key, clock.now() - since));
      // The other keys come first.
      turns.remove(key.turn);
      key.turn = undefined;
      line(key);
    }
  }

  /** Lets a key take turns while it has waiters and room for them; forgets it when it is idle. */
  function line(key: Key): void {
    if (key.waiters.size === 0 || key.taken >= perKey()) {
      turns.remove(key.turn);
      key.turn = undefined;
    } else key.turn ??= turns.push(key);
    if (key.taken === 0 && key.waiters.size === 0) keys.delete(key.name);
  }

  function addKey(name: string): Key {
    const key: Key = { name, taken: 0, waiters: new WaitingList(), holdMs };
    keys.set(name, key);
    return key;
  }

  function setTimer(): void {
    const oldest = waiters.first?.value;
    if (oldest === undefined || cancelTimer !== undefined) return;
    const left = Math.max(0, oldest.since + longestWaitMs - clock.now());
    cancelTimer = clock.after(left, () => {
      cancelTimer = undefined;
      const now = clock.now();
      for (let first = waiters.first; first !== undefined; first = waiters.first) {
        if (now - first.value.since < longestWaitMs) break;
        giveUp(first.value);
      }
      setTimer();
    });
  }

  function refuse(full: Refusal["full"], key: Key | undefined): Refusal {
    const ms =
      full === "key" && key !== undefined
        ? ((key.waiters.size + 1) * key.holdMs) / perKey()
        : ((waiters.size + 1) * holdMs) / total();
    const seconds = Math.max(1, Math.ceil(ms / 1000));
    return { full, retryAfterSeconds: Math.min(seconds, LONGEST_RETRY_SECONDS) };
  }

  return {
    enter,
    tryEnter,
    count: () => ({ taken, waiting: waiters.size, keys: keys.size }),
  };
}

function constant(value: number): () => number {
  return () => value;
}

/** A list whose entries can leave from anywhere in constant time, as those that give up waiting do. */
interface Waiting<Value> {
  readonly value: Value;
  before: Waiting<Value> | undefined;
  after: Waiting<Value> | undefined;
  /** False once it has left. */
  listed: boolean;
}

class WaitingList<Value> {
  first: Waiting<Value> | undefined;
  size = 0;
  private last: Waiting<Value> | undefined;

  push(value: Value): Waiting<Value> {
    const added: Waiting<Value> = { value, before: this.last, after: undefined, listed: true };
    if (this.last === undefined) this.first = added;
    else this.last.after = added;
    this.last = added;
    this.size += 1;
    return added;
  }

  /** Does nothing if it has already left. */
  remove(entry: Waiting<Value> | undefined): void {
    if (entry?.listed !== true) return;
    entry.listed = false;
    this.size -= 1;
    if (entry.before === undefined) this.first = entry.after;
    else entry.before.after = entry.after;
    if (entry.after === undefined) this.last = entry.before;
    else entry.after.before = entry.before;
  }
}

/** Divides an amount (bytes) between keys. Unlike places of a share, amounts differ, and nobody waits for one. */
export interface Budget {
  /** Takes the amount, or nothing and returns whose bound it would exceed: the key's own, or that of all keys. */
  take: (key: string, amount: number) => "key" | "total" | undefined;
  give: (key: string, amount: number) => void;
}

export function createBudget({ total, perKey }: { total: number; perKey: number }): Budget {
  const keys = new Map<string, number>();
  let taken = 0;
  return {
    take: (key, amount) => {
      const own = keys.get(key) ?? 0;
      if (own + amount > perKey) return "key";
      if (taken + amount > total) return "total";
      taken += amount;
      keys.set(key, own + amount);
      return undefined;
    },
    give: (key, amount) => {
      const own = (keys.get(key) ?? 0) - amount;
      taken -= amount;
      if (own > 0) keys.set(key, own);
      else keys.delete(key);
    },
  };
}

export interface Clock {
  /** Milliseconds that never go back. */
  now: () => number;
  /** Runs once after this time. Returns what cancels it. */
  after: (ms: number, run: () => void) => () => void;
}

/** Its timers don't keep the process running. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
