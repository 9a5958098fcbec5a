import { INVITATION_RETENTION } from "../accounts/invitation-queries";
import { SESSION_RETENTION } from "../accounts/sign-in-queries";
import { EVENT_RETENTION } from "../calls/deliveries/event-queries";
import { CALL_RETENTION } from "../calls/record-queries";
import { PICTURE_RETENTION } from "../catalog/picture-queries";
import { BLOB_RETENTION } from "../images/keep-blobs";
import { EVENTS_RETENTION } from "../insight/health/history-queries";
import { USAGE_RETENTION } from "../insight/health/sample-queries";
import { VISIT_RETENTION } from "../insight/use/use-queries";
import { CHECK_RETENTION } from "../installations/check-queries";
import { REQUEST_RETENTION } from "../installations/requests/queries";
import { NOTIFICATION_RETENTION } from "../platform/notifications/mail-queries";
import type { Platform } from "../platform/platform";
import type { RetentionJob, RetentionOptions } from "../platform/retention-queries";
import { EGRESS_RETENTION } from "../runtime/egress-count-queries";
import { LOG_RETENTION } from "../runtime/logs/follow-log";

/** In the order in which they run. */
const JOBS: RetentionJob[] = [
  // First, because what is left of them are secrets.
  CHECK_RETENTION,
  // Attempts refer to deliveries.
  ...CALL_RETENTION,
  EVENT_RETENTION,
  ...NOTIFICATION_RETENTION,
  SESSION_RETENTION,
  INVITATION_RETENTION,
  REQUEST_RETENTION,
  PICTURE_RETENTION,
  LOG_RETENTION,
  EVENTS_RETENTION,
  ...USAGE_RETENTION,
  ...EGRESS_RETENTION,
  ...VISIT_RETENTION,
  ...BLOB_RETENTION,
];

/** The pause between batches keeps deleting a backlog to a small part of the database's time. */
const OPTIONS = { batchSize: 500, pauseMs: 100 };

/**
 * Deletes what is older than the operator keeps it, and what nothing shows. Only one worker does this at a time; the others skip
 * it. Returns how much of what was removed.
 */
export async function removeOldRecords(
  platform: Platform,
  options: Partial<RetentionOptions> = {},
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const { name, run } of JOBS)
    removed[name] = await run(platform, { now: new Date(), ...OPTIONS, ...options });
  return removed;
}
