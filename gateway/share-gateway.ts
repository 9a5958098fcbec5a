import type { Platform } from "@/lib/server/platform/platform";
import { createDrain, type Drain } from "@/lib/server/platform/requests/drain-servers";
import type { WorkClass } from "@/lib/server/surface/api/routes/route";
import { withOwnPool } from "@/lib/server/surface/create-platform";
import { type Admission, createAdmission } from "./admission/admit-request";

/** What the listeners of one gateway have in common. */
export interface SharedGateway {
  admission: Admission;
  drain: Drain;
  /** How many milliseconds to hold the next refusal. */
  pace: () => number;
  /** A class with database connections of its own never waits for the queries of others. */
  platforms: ReadonlyMap<WorkClass, Platform>;
}

/** Database connections of each gateway, in tenths of those that the other classes share, and besides them. */
const CONNECTIONS: ["state" | "calls" | "events", number][] = [
  ["state", 4],
  ["calls", 4],
  ["events", 6],
];

export function shareGateway(platform: Platform, hasOwnPools = false): SharedGateway {
  const own = hasOwnPools ? CONNECTIONS : [];
  const platforms = new Map<WorkClass, Platform>(
    own.map(([name, tenths]) => {
      const max = Math.ceil((tenths * platform.environment.PLATFORM_DATABASE_CONNECTIONS) / 10);
      return [name, withOwnPool(platform, name, { max })];
    }),
  );
  return {
    admission: createAdmission(platform),
    drain: createDrain(),
    pace: createPacer(),
    platforms,
  };
}

/**
 * Sends the first refusals at once, and those of a flood later and one after another. Otherwise, clients that retry as soon as
 * they are refused would use up, in bursts, the time that the gateway needs for the requests it accepted.
 */
const AT_ONCE_PER_SECOND = 50;
const AT_ONCE_BURST = 100;
const LATER_PER_SECOND = 1_000;
const HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 3_000;

/** @returns for each refusal, how many milliseconds to hold it */
export function createPacer(now: () => number = () => performance.now()): () => number {
  let tokens = AT_ONCE_BURST;
  let at = now();
  let lastAnswerAt = 0;
  return () => {
    const time = now();
    tokens = Math.min(AT_ONCE_BURST, tokens + ((time - at) / 1000) * AT_ONCE_PER_SECOND);
    at = time;
    if (tokens >= 1) {
      tokens -= 1;
      return 0;
    }
    const next = Math.max(time + HOLD_MS, lastAnswerAt + 1000 / LATER_PER_SECOND);
    lastAnswerAt = Math.min(next, time + LONGEST_HOLD_MS);
    return lastAnswerAt - time;
  };
}
