import { withOwnPool, type Platform } from "@/lib/server/platform/platform";
import { createAdmission, type Admission } from "./admission/admit-request";
import { createPacer } from "./admission/pace-refusals";
import type { WorkClass } from "./admission/work-class";
import { createDrain, type Drain } from "./drain-responses";

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
