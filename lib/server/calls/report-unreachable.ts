import { LRUCache } from "lru-cache";
import type { AppFault } from "@/lib/contract/app-fault";
import { notifyUnreachable } from "../database/work-channel";
import type { Platform } from "../platform/platform";

/** Calls that fail at the same time are reported once. */
const QUIET_MS = 500;

const reported = new LRUCache<string, true>({ max: 10_000, ttl: QUIET_MS });

/** After a call that didn't reach its app, makes the workers check the instance now instead of at the next health check. */
export function reportUnreachable(platform: Platform, installationId: string, fault: AppFault | null): void {
  if (
    fault !== "app-connection-refused" &&
    fault !== "app-unreachable" &&
    fault !== "app-response-incomplete"
  )
    return;
  if (reported.has(installationId)) return;
  reported.set(installationId, true);
  notifyUnreachable(platform.db, installationId).catch((error: unknown) =>
    platform.log.warn({ err: error }, "an app that could not be reached was not reported to the workers"),
  );
}
