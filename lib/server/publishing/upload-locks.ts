/** Makes the requests of one upload take turns. `@tus/server` has a lock like this, but it waits in a busy loop. */
import type { Lock, Locker } from "@tus/server";
import { Problem } from "@/lib/contract/problem";

const PATIENCE_MS = 30_000;

interface Holder {
  /** Asks the request to end. Its connection may be dead, so the next one doesn't wait for it to end by itself. */
  cancel: () => Promise<void> | void;
  ended: Promise<void>;
}

const holders = new Map<string, Holder>();

/** @param owner two owners never wait for each other, even if they send the same blob */
export function uploadLocks(owner: string): Locker {
  return { newLock: (id) => newLock(`${owner} ${id}`) };
}

function newLock(name: string): Lock {
  let leave = () => {};
  return {
    lock: async (signal, cancel) => {
      const giveUp = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      for (let holder = holders.get(name); holder !== undefined; holder = holders.get(name)) {
        await holder.cancel();
        await raceAbort(holder.ended, giveUp);
      }
      const ended = new Promise<void>((resolve) => {
        leave = () => {
          holders.delete(name);
          resolve();
        };
      });
      holders.set(name, { cancel, ended });
    },
    unlock: async () => leave(),
  };
}

async function raceAbort(ended: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      stop = () =>
        reject(new Problem("UNAVAILABLE", "Another request is sending this blob. Try again in a moment."));
      signal.addEventListener("abort", stop);
      if (signal.aborted) stop();
      void ended.then(resolve);
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
