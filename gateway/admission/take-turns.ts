/**
 * Few requests start in each pass of the event loop, and organizations take turns. A pass reads everything that has arrived, and
 * accepts one new connection (libuv 1.45 and later). Long passes would make others wait: for a tenth of a second if they are
 * connected, and for seconds if they connect.
 */
import { createShare, type Place, type Refusal, type Share } from "@/lib/server/limits/share";

/** Requests that wait for a turn already have a place, and there are fewer of those. */
const QUEUE = { queue: 4_096, queuePerKey: 1_024, longestWaitMs: 2_000 };
/** After this many passes, turns end even if connections still arrive, so that new clients don't hold up connected ones. */
const MOST_CONNECTIONS = 32;

export interface Passes {
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

/** A turn is a place that ends by itself, with the pass that gave it. */
export type Turns = Pick<Share, "enter" | "tryEnter">;

/**
 * While nobody waits for a turn, many requests start in a pass, so that their queries travel together. As soon as one waits, a
 * caller starts one sixteenth as many, and all callers one quarter.
 *
 * @param most requests that start in one pass
 */
export function createTurns({ afterPass }: Passes, most: number): Turns {
  const unhurried = createShare({ ...QUEUE, total: most, perKey: most });
  const crowded = createShare({ ...QUEUE, total: most / 4, perKey: most / 16 });

  const endWithPass = (turn: Place | Refusal) => {
    if ("leave" in turn) afterPass(turn.leave);
    return turn;
  };
  return {
    tryEnter: (key) => {
      const isCrowded = crowded.count().waiting > 0;
      return endWithPass((isCrowded ? crowded : unhurried).tryEnter(key));
    },
    enter: async (key, gone) => endWithPass(await crowded.enter(key, gone)),
  };
}
