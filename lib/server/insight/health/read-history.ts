import type { HealthHistory } from "@/lib/contract/insight/health";
import { divideHistory, traceHealth } from "@/lib/domain/insight/health-history";
import type { Member } from "@/lib/domain/platform/actor";
import type { Platform } from "../../platform/platform";
import { selectEvents } from "./history-queries";
import { listRunVersions } from "./read-metrics";

/** No page shows more. */
const MOST_VERSIONS = 5;

export interface VersionHistory {
  number: string;
  isRunning: boolean;
  history: HealthHistory;
}

/**
 * The health of the versions of the member's listing that ran in the last month: those that run now first, then the newest; at most
 * five. NOT_FOUND for a listing of another organization.
 */
export async function readAppHistory(
  platform: Platform,
  member: Member,
  listingId: string,
  now = new Date(),
): Promise<VersionHistory[]> {
  const versions = (await listRunVersions(platform, member, listingId)).slice(0, MOST_VERSIONS);
  const events = await selectEvents(
    platform.db,
    versions.map(({ id }) => id),
  );
  return versions.map(({ id, number, isRunning }) => ({
    number,
    isRunning,
    history: divideHistory(traceHealth(events.get(id) ?? []), now.getTime()),
  }));
}
