import { LRUCache } from "lru-cache";
import { notifyUnreachable } from "../database/work-channel";
import type { Platform } from "../platform/platform";
import { isPassedOver, type FinishedCall } from "./call-steps";

/** Calls that fail at the same time are reported once. */
const QUIET_MS = 500;

const reported = new LRUCache<string, true>({ max: 10_000, ttl: QUIET_MS });

/** After a call that didn't reach its app, makes the workers check its instances now instead of at the next health check. */
export function reportUnreachable(
  platform: Platform,
  installationId: string,
  { fault, passedOver }: Pick<FinishedCall, "fault" | "passedOver">,
): void {
  if (passedOver.length === 0 && !isPassedOver(fault) && fault !== "app-response-incomplete") return;
  if (reported.has(installationId)) return;
  reported.set(installationId, true);
  notifyUnreachable(platform.db, installationId).catch((error: unknown) =>
    platform.log.warn({ err: error }, "an app that could not be reached was not reported to the workers"),
  );
}
