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
 * The health of the versions of the member's listing that ran in the last month: those that run now first, then the most used; at most
 * five, and how many more there are. NOT_FOUND for a listing of another organization.
 */
export async function readAppHistory(
  platform: Platform,
  member: Member,
  listingId: string,
  now = new Date(),
): Promise<{ versions: VersionHistory[]; more: number }> {
  const ran = await listRunVersions(platform, member, listingId);
  const versions = ran.slice(0, MOST_VERSIONS);
  const events = await selectEvents(
    platform.db,
    versions.map(({ id }) => id),
  );
  return {
    versions: versions.map(({ id, number, isRunning }) => ({
      number,
      isRunning,
      history: divideHistory(traceHealth(events.get(id) ?? []), now.getTime()),
    })),
    more: ran.length - versions.length,
  };
}
