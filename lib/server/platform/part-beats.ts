/**
 * How the parts of the platform know of each other, also on several machines: each process of the gateway and the worker reports in
 * the database that it works. A process that is frozen reports nothing, although its connections, and so its locks, remain.
 */
import { hostname } from "node:os";
import { v7 } from "uuid";
import type { ReportingPart } from "@/lib/contract/platform/availability";
import { AWAY_AFTER_MS, BEAT_MS } from "@/lib/domain/platform/availability";
import { isDatabaseUnavailable } from "./database/availability";
import { deleteOldBeats, endBeat, type PartProcess, saveBeat } from "./database/availability-queries";
import { describeMasterKey } from "./keyring";
import { repeat } from "./lease-loop";
import { readRelease } from "./machine";
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
  platform: Pick<Platform, "db" | "log" | "keyring">,
  part: ReportingPart,
  isWorking: () => boolean = () => true,
): { stop: () => void } {
  const id = v7();
  const masterKeys = [...platform.keyring.byId.values()].map(describeMasterKey);
  let reported: PartProcess | undefined;
  const beating = repeat(platform, { name: "report", everyMs: BEAT_MS, alone: true, run: beat });
  void beating.run();
  return {
    stop: () => {
      beating.stop();
      // Without the database, others see that it doesn't report anymore.
      if (reported !== undefined) endBeat(platform.db, id).catch(() => undefined);
    },
  };

  async function beat(): Promise<void> {
    if (!isWorking()) return;
    try {
      const process = reported ?? { id, part, host: hostname(), release: await readRelease(), masterKeys };
      processes = await saveBeat(platform.db, process, AWAY_AFTER_MS);
      if (reported === undefined) await deleteOldBeats(platform.db);
      reported = process;
    } catch (error) {
      // Who looks at the database logs it once.
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }
}
