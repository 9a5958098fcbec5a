/**
 * How the parts of the platform know of each other, also on several machines: each process of the gateway and the worker reports in
 * the database that it works. A process that is frozen reports nothing, although its connections, and so its locks, remain.
 */
import { v7 } from "uuid";
import type { BeatingPart } from "@/lib/contract/platform/availability";
import { AWAY_AFTER_MS, BEAT_MS } from "@/lib/domain/platform/availability";
import { isDatabaseUnavailable } from "./database/availability";
import { deleteOldBeats, saveBeat } from "./database/availability-queries";
import { repeat } from "./lease-loop";
import type { Platform } from "./platform";

/** Processes of this one's part that work, as of the last report. */
let processes = 1;

/**
 * This process's part of a limit on how much of the platform somebody may use at once, or each second: as much as if its peers, the other
 * processes of its part, took equally much. A limit that must hold exactly is counted in the database instead.
 */
export function divideByPeers(limit: number): number {
  return Math.ceil(limit / processes);
}

/** @param isWorking without which the process is not there for others, although it runs */
export function keepBeating(
  platform: Pick<Platform, "db" | "log">,
  part: BeatingPart,
  isWorking: () => boolean = () => true,
): { stop: () => void } {
  const id = v7();
  let isFirst = true;
  const beating = repeat(platform, { name: "report", everyMs: BEAT_MS, alone: true, run: beat });
  void beating.run();
  return { stop: beating.stop };

  async function beat(): Promise<void> {
    if (!isWorking()) return;
    try {
      processes = await saveBeat(platform.db, id, part, AWAY_AFTER_MS);
      if (isFirst) await deleteOldBeats(platform.db);
      isFirst = false;
    } catch (error) {
      // Who looks at the database logs it once.
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }
}
