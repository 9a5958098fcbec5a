/**
 * Few requests start in each pass of the event loop, and organizations take turns. A pass reads everything that has arrived, and
 * accepts one new connection (libuv 1.45 and later). Long passes would make others wait: for a tenth of a second if they are
 * connected, and for seconds if they connect.
 */
import { type EventLoopUtilization, performance } from "node:perf_hooks";
import {
  createShare,
  isRefusal,
  type Place,
  type Refusal,
  type Share,
} from "@/lib/server/platform/requests/share";

/** Requests that wait for a turn already have a place, and there are fewer of those. */
const QUEUE = { queue: 4_096, queuePerKey: 1_024, longestWaitMs: 2_000 };
/** After this many passes, turns end even if connections still arrive, so that new clients don't hold up connected ones. */
const MOST_CONNECTIONS = 32;

interface Passes {
  /** A connection was accepted in this pass, so more of them may be waiting. */
  noteConnection: () => void;
  /** Runs when this pass is over, or a few later while each of them accepts a connection. */
  afterPass: (run: () => void) => void;
}

/** @param schedule runs a function when the current pass is over */
export function watchPasses(schedule: (run: () => void) => void = setImmediate): Passes {
  let connections = 0;

  function wait(run: () => void, first: number): void {
    const before = connections;
    schedule(() => {
      if (connections > before && connections - first < MOST_CONNECTIONS) wait(run, first);
      else run();
    });
  }

  return {
    noteConnection: () => void (connections += 1),
    afterPass: (run) => wait(run, connections),
  };
}

export interface Loop extends Passes {
  /** Whether the event loop has hardly any idle time. */
  isBusy: () => boolean;
}

/** A place that is given back when the response ends, or before. */
export type Turns = Pick<Share, "enter" | "tryEnter">;

/** A request that is older mostly waits for its app, and takes no time from others. */
const YOUNG_MS = 100;

/**
 * While nobody waits for a turn, many requests start in a pass, so that their queries travel together. As soon as one waits, a
 * caller starts one sixteenth as many, and all callers one quarter.
 *
 * While the loop is busy, a caller's next request waits until few of those that it started lately are in progress. These keep the
 * loop as busy as more would: the rest would only wait in it, and make the requests of others wait.
 *
 * @param most requests that start in one pass
 */
export function createTurns({ afterPass, isBusy }: Loop, most: number): Turns {
  const unhurried = createShare({ ...QUEUE, total: most, perKey: most });
  const crowded = createShare({ ...QUEUE, total: most / 4, perKey: most / 16 });
  const young = createShare({ ...QUEUE, total: Infinity, perKey: () => (isBusy() ? most : Infinity) });

  /** @param turn ends with the pass */
  function start(place: Place, turn: Place | Refusal): Place | Refusal {
    if (isRefusal(turn)) {
      place.leave();
      return turn;
    }
    afterPass(turn.leave);
    const timer = setTimeout(place.leave, YOUNG_MS).unref();
    const leave = () => {
      clearTimeout(timer);
      place.leave();
    };
    return { waitedMs: place.waitedMs + turn.waitedMs, leave };
  }

  return {
    tryEnter: (key) => {
      const place = young.tryEnter(key);
      if (isRefusal(place)) return place;
      const isCrowded = crowded.count().waiting > 0;
      return start(place, (isCrowded ? crowded : unhurried).tryEnter(key));
    },
    enter: async (key, gone) => {
      const entry = young.tryEnter(key);
      const place = isRefusal(entry) ? await young.enter(key, gone) : entry;
      return isRefusal(place) ? place : start(place, await crowded.enter(key, gone));
    },
  };
}

type LoopTimes = Pick<EventLoopUtilization, "idle" | "active">;

/** Long enough that a long pass alone doesn't count as busy. */
const PERIOD_MS = 100;
const BUSY_SHARE = 0.95;

/**
 * Whether the event loop had hardly any idle time in the last period.
 *
 * @param read how long the loop has been idle and active since it started, in milliseconds
 */
export function watchLoop(read: () => LoopTimes = () => performance.eventLoopUtilization()): () => boolean {
  let before = read();
  let isBusy = false;
  return () => {
    const now = read();
    const active = now.active - before.active;
    const elapsed = active + now.idle - before.idle;
    if (elapsed < PERIOD_MS) return isBusy;
    isBusy = active / elapsed > BUSY_SHARE;
    before = now;
    return isBusy;
  };
}
