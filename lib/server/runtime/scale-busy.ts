/** Adds replicas of a version while it is busy, and removes them later, where its publisher lets the platform do so. */
import { v7 } from "uuid";
import { nextScaling } from "@/lib/domain/runtime/scaling";
import { takeLoads } from "../calls/choose-replica";
import { isDatabaseUnavailable } from "../platform/database/availability";
import { notifyWorker } from "../platform/database/work-channel";
import type { Job } from "../platform/lease-loop";
import type { Platform } from "../platform/platform";
import { deleteOldLoads, lockScalings, saveLoads, saveScaling, selectScalings } from "./load-queries";

const REPORT_MS = 5_000;
/** Two reports may be missing, as while a process is replaced. */
export const LOAD_WITHIN_MS = 3 * REPORT_MS;

/** What this process reports: the calls that it has in progress. */
export function loadReport({ db }: Pick<Platform, "db">): Job {
  const processId = v7();
  const run = async () => {
    const loads = takeLoads();
    if (loads.size === 0) return;
    try {
      await saveLoads(db, processId, loads);
    } catch (error) {
      // Who looks at the database logs it once. The next report comes soon.
      if (!isDatabaseUnavailable(error)) throw error;
    }
  };
  return { name: "report calls in progress", everyMs: REPORT_MS, alone: true, run };
}

/** Decides for all versions. One worker at a time; the others skip it. */
export async function scaleBusy(platform: Platform): Promise<void> {
  const { PLATFORM_APP_REPLICAS: most, PLATFORM_APP_BUSY_CALLS: callsEach } = platform.environment;
  await platform.db.transaction(async (tx) => {
    if (!(await lockScalings(tx))) return;
    await deleteOldLoads(tx);
    for (const scaling of await selectScalings(tx, most, LOAD_WITHIN_MS)) {
      const next = nextScaling(scaling, callsEach);
      if (next === undefined) continue;
      const { versionId, wanted: from, calls } = scaling;
      await saveScaling(tx, { versionId, ...next });
      if (next.replicas === from) continue;
      platform.log.info(
        { versionId, from, to: next.replicas, calls },
        "replicas follow the calls in progress",
      );
      await notifyWorker(tx);
    }
  });
}
