/**
 * Divides places between keys (organizations, apps, addresses) so that none of them can use up what all share. Every
 * operation takes constant time, and a key without places and waiters leaves nothing behind.
 */
import { SYSTEM_CLOCK, type Clock } from "./clock";
import { WaitingList, type Waiting } from "./waiting-list";

export interface ShareLimits {
  /** Places of all keys. */
  total: number;
  perKey: number;
  /** Waiters of all keys. */
  queue: number;
  queuePerKey: number;
  longestWaitMs: number;
  /** Under pressure, a key gets no more places than these. By default `perKey`. */
  floor?: number;
}

export interface Place {
  waitedMs: number;
  /** Gives the place back, however often it is called. */
  leave: () => void;
}

export interface Refusal {
  /** Whose limit it is: the key's own, or that of all keys. */
  full: "key" | "total";
  /** When a place is likely to be free, from how long places were held lately. */
  retryAfterSeconds: number;
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
  /** In the line of keys whose next waiter may enter, if it is in one. */
  turn: { line: WaitingList<Key>; at: Waiting<Key> } | undefined;
  /** How long its places are held, a moving average. */
  holdMs: number;
}

interface Waiter {
  key: Key;
  since: number;
  answer: (entry: Place | Refusal) => void;
  inKey?: Waiting<Waiter>;
  inAll?: Waiting<Waiter>;
}

/** Pressure ends without an event, so waiters look again after this time. */
const LOOK_AGAIN_MS = 10;
/** Assumed until the first place is given back. */
const HOLD_MS = 1_000;
const LONGEST_RETRY_SECONDS = 30;

export function createShare(
  limits: ShareLimits,
  {
    clock = SYSTEM_CLOCK,
    isPressed = () => false,
  }: {
    clock?: Clock;
    /** Whether what all keys share is behind. Then keys with few places go first, and the others wait. */
    isPressed?: () => boolean;
  } = {},
): Share {
  const { total, perKey, queue, queuePerKey, longestWaitMs, floor = perKey } = limits;
  const keys = new Map<string, Key>();
  /** By arrival, which is also the order in which their time is over. */
  const waiters = new WaitingList<Waiter>();
  /** Keys below the floor go before the others. Within a line, keys take turns. */
  const light = new WaitingList<Key>();
  const heavy = new WaitingList<Key>();
  let taken = 0;
  let holdMs = HOLD_MS;
  let cancelTimer: (() => void) | undefined;

  function tryEnter(name: string): Place | Refusal {
    admitWaiters();
    const key = keys.get(name);
    if (key !== undefined && (key.waiters.size > 0 || isFull(key))) return refuse("key", key);
    if (taken >= total) return refuse("total", key);
    return take(key ?? addKey(name), 0);
  }

  function isFull({ taken: own }: Key): boolean {
    return own >= perKey || (own >= floor && isPressed());
  }

  function enter(name: string, gone?: AbortSignal): Promise<Place | Refusal> {
    const entry = tryEnter(name);
    if ("leave" in entry || queuePerKey === 0) return Promise.resolve(entry);
    const key = keys.get(name);
    const oldest = key?.waiters.first?.value.since;
    // Whoever comes after one that waited long would wait as long, and be refused then.
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
    answer(refuse(isFull(key) ? "key" : "total", key));
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
    while (taken < total) {
      const turn = light.first ?? (isPressed() ? undefined : heavy.first);
      const next = turn?.value.waiters.first?.value;
      if (next === undefined) return;
      const { key, since, answer } = next;
      remove(next);
      answer(take(key, clock.now() - since));
      // To the end of its line: the other keys come first.
      unline(key);
      line(key);
    }
  }

  /** Puts a key where it waits for its turn; forgets it if it is idle. */
  function line(key: Key): void {
    const fits = key.waiters.size > 0 && key.taken < perKey;
    const place = !fits ? undefined : key.taken < floor ? light : heavy;
    if (key.turn?.line !== place) {
      unline(key);
      if (place !== undefined) key.turn = { line: place, at: place.push(key) };
    }
    if (key.taken === 0 && key.waiters.size === 0) keys.delete(key.name);
  }

  function unline(key: Key): void {
    key.turn?.line.remove(key.turn.at);
    key.turn = undefined;
  }

  function addKey(name: string): Key {
    const key: Key = { name, taken: 0, waiters: new WaitingList(), turn: undefined, holdMs };
    keys.set(name, key);
    return key;
  }

  function setTimer(): void {
    const oldest = waiters.first?.value;
    if (oldest === undefined || cancelTimer !== undefined) return;
    const left = Math.max(0, oldest.since + longestWaitMs - clock.now());
    const ms = floor < perKey ? Math.min(left, LOOK_AGAIN_MS) : left;
    cancelTimer = clock.after(ms, () => {
      cancelTimer = undefined;
      admitWaiters();
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
        ? ((key.waiters.size + 1) * key.holdMs) / perKey
        : ((waiters.size + 1) * holdMs) / total;
    const seconds = Math.max(1, Math.ceil(ms / 1000));
    return { full, retryAfterSeconds: Math.min(seconds, LONGEST_RETRY_SECONDS) };
  }

  return {
    enter,
    tryEnter,
    count: () => ({ taken, waiting: waiters.size, keys: keys.size }),
  };
}
