/** Deletes what is older than the operator keeps it, and pictures that nothing shows. See docs/decisions/021-retention.md. */
import { setTimeout as sleep } from "node:timers/promises";
import { deleteUnusedImages } from "../catalog/picture-queries";
import { collectBlobs, removeOldUploads } from "../images/keep-blobs";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { removeOldLines } from "../runtime/logs/follow-log";
import {
  deleteAttempts,
  deleteChecks,
  deleteEvents,
  deleteInstanceEvents,
  deleteMails,
  deleteNotifications,
  deleteSamples,
  deleteSessions,
  deleteStateReads,
  deleteUsageHours,
  forgetInvitations,
  lockRetention,
  type Page,
  type Range,
} from "./retention-queries";

const DAY_MS = 24 * 60 * 60_000;
const BATCH = 500;
/** Between batches, so that deleting a backlog takes a small part of the database's time. */
const PAUSE_MS = 100;

interface Options {
  now?: Date;
  batchSize?: number;
  pauseMs?: number;
  /** Stops after the current batch. */
  signal?: AbortSignal;
}

/** As far as the metrics and the health of an app are shown, and a little more. */
const APP_HISTORY_DAYS = 31;

/** Longer ranges are shown from hours. */
const SAMPLES_DAYS = 2;

/** Longer than any check takes, and than its page shows its progress. */
const CHECKS_MS = 15 * 60_000;

export interface Removed {
  configurationChecks: number;
  attempts: number;
  stateReads: number;
  events: number;
  mails: number;
  notifications: number;
  sessions: number;
  /** Ended invitations, without their addresses. */
  invitations: number;
  images: number;
  /** Blobs of publications that failed or never ended. */
  blobs: number;
  /** Blobs that were never sent completely, or never published. */
  uploads: number;
  /** Lines of apps' logs. */
  logLines: number;
  /** What happened to instances. */
  instanceEvents: number;
  /** Of what they used. */
  usageSamples: number;
  usageHours: number;
}

/**
 * Removes old records, oldest first, in small transactions. Only one worker does this at a time; the others skip it.
 * Returns how many rows were removed.
 */
export async function removeOldRecords(platform: Platform, options: Options = {}): Promise<Removed> {
  const { now = new Date() } = options;
  const {
    PLATFORM_KEEP_CALLS_DAYS: calls,
    PLATFORM_KEEP_EVENTS_DAYS: events,
    PLATFORM_KEEP_LOGS_DAYS: logs,
    PLATFORM_KEEP_NOTIFICATIONS_DAYS: notifications,
    PLATFORM_KEEP_SESSIONS_DAYS: sessions,
    PLATFORM_KEEP_INVITATIONS_DAYS: invitations,
  } = platform.environment;
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  return {
    // First, because what is left of them are secrets.
    configurationChecks: await removePages(
      platform,
      new Date(now.getTime() - CHECKS_MS),
      options,
      deleteChecks,
    ),
    // Attempts refer to deliveries, and reads to attempts.
    attempts: await removePages(platform, daysAgo(calls), options, deleteAttempts),
    stateReads: await removePages(platform, daysAgo(calls), options, deleteStateReads),
    events: await removePages(platform, daysAgo(events), options, deleteEvents),
    // Emails refer to notifications.
    mails: await removePages(platform, daysAgo(notifications), options, deleteMails),
    notifications: await removePages(platform, daysAgo(notifications), options, deleteNotifications),
    sessions: await removePages(platform, daysAgo(sessions), options, deleteSessions),
    invitations: await removePages(platform, daysAgo(invitations), options, forgetInvitations),
    // Pictures that no listing shows, once it is clear that their upload is not about to be used.
    images: await removeBatches(platform, options, (tx, limit) => deleteUnusedImages(tx, daysAgo(1), limit)),
    logLines: await removeOldLines(platform, daysAgo(logs), {
      pauseMs: PAUSE_MS,
      batchSize: BATCH,
      ...options,
    }),
    instanceEvents: await removeBatches(platform, options, (tx, limit) =>
      deleteInstanceEvents(tx, daysAgo(APP_HISTORY_DAYS), limit),
    ),
    usageSamples: await removeBatches(platform, options, (tx, limit) =>
      deleteSamples(tx, daysAgo(SAMPLES_DAYS), limit),
    ),
    usageHours: await removeBatches(platform, options, (tx, limit) =>
      deleteUsageHours(tx, daysAgo(APP_HISTORY_DAYS), limit),
    ),
    uploads: await removeOldUploads(platform, daysAgo(1), { pauseMs: PAUSE_MS, ...options }),
    blobs: await collectBlobs(platform, daysAgo(1), { pauseMs: PAUSE_MS, ...options }),
  };
}

async function removePages(
  platform: Platform,
  cutoff: Date,
  { batchSize = BATCH, pauseMs = PAUSE_MS, signal }: Options,
  remove: (tx: Db, range: Range, cutoff: Date) => Promise<Page>,
): Promise<number> {
  const before = firstIdAt(cutoff);
  let after: string | undefined = FIRST_ID;
  let removed = 0;
  while (after !== undefined && signal?.aborted !== true) {
    const range = { after, before, limit: batchSize };
    const page: Page = await platform.db.transaction(async (tx) =>
      (await lockRetention(tx)) ? remove(tx, range, cutoff) : { deleted: 0, last: undefined },
    );
    removed += page.deleted;
    after = page.last;
    if (after !== undefined) await sleep(pauseMs);
  }
  return removed;
}

async function removeBatches(
  platform: Platform,
  { batchSize = BATCH, pauseMs = PAUSE_MS, signal }: Options,
  remove: (tx: Db, limit: number) => Promise<number>,
): Promise<number> {
  let removed = 0;
  while (signal?.aborted !== true) {
    const deleted = await platform.db.transaction(async (tx) =>
      (await lockRetention(tx)) ? remove(tx, batchSize) : 0,
    );
    removed += deleted;
    if (deleted < batchSize) break;
    await sleep(pauseMs);
  }
  return removed;
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** The smallest UUIDv7 of a moment: its first 48 bits are milliseconds. */
function firstIdAt(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
