import type { ServerResponse } from "node:http";
import type { Platform } from "@/lib/server/platform/platform";
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

/** Database connections of each gateway, besides the ten that the other classes share. */
const CONNECTIONS: [WorkClass, number][] = [
  ["state", 4],
  ["calls", 4],
  ["events", 6],
];

export function shareGateway(platform: Platform, hasOwnPools = false): SharedGateway {
  const own = hasOwnPools ? CONNECTIONS : [];
  const platforms = new Map(own.map(([name, most]) => [name, withOwnPool(platform, { max: most })]));
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

/** Signals to clients that the gateway is stopping: with each response from then on, and with those in progress. */
interface Drain {
  track: (response: ServerResponse) => void;
  begin: () => void;
  isDraining: () => boolean;
}

function createDrain(): Drain {
  const inProgress = new Set<ServerResponse>();
  let isDraining = false;
  return {
    track: (response) => {
      if (isDraining) return announceClose(response);
      inProgress.add(response);
      response.once("close", () => inProgress.delete(response));
    },
    begin: () => {
      isDraining = true;
      for (const response of inProgress) announceClose(response);
    },
    isDraining: () => isDraining,
  };
}

/** So that the client sends its next request on another connection, to another gateway. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}
