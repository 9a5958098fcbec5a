/** Deletes calls and events that are older than the operator keeps them, and pictures that nothing shows. See docs/decisions/032-retention.md. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../database/connect";
import { deleteUnusedImages } from "../images/queries";
import type { Platform } from "../platform/platform";
import {
  deleteAttempts,
  deleteEvents,
  deleteStateReads,
  lockRetention,
  type Page,
  type Range,
} from "./queries";

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

export interface Removed {
  attempts: number;
  stateReads: number;
  events: number;
  images: number;
}

/**
 * Removes what is old, oldest first, in small transactions. One worker at a time: if another is at it, this one leaves it
 * to that one. Returns how many rows were removed.
 */
export async function removeOldRecords(platform: Platform, options: Options = {}): Promise<Removed> {
  const { now = new Date() } = options;
  const { PLATFORM_KEEP_CALLS_DAYS, PLATFORM_KEEP_EVENTS_DAYS } = platform.environment;
  const calls = new Date(now.getTime() - PLATFORM_KEEP_CALLS_DAYS * DAY_MS);
  const events = new Date(now.getTime() - PLATFORM_KEEP_EVENTS_DAYS * DAY_MS);
  return {
    // Attempts refer to deliveries, and reads to attempts.
    attempts: await removePages(platform, calls, options, deleteAttempts),
    stateReads: await removePages(platform, calls, options, deleteStateReads),
    events: await removePages(platform, events, options, (tx, range) => deleteEvents(tx, range, events)),
    images: await removeImages(platform, new Date(now.getTime() - DAY_MS), options),
  };
}

async function removePages(
  platform: Platform,
  cutoff: Date,
  { batchSize = BATCH, pauseMs = PAUSE_MS, signal }: Options,
  remove: (tx: Db, range: Range) => Promise<Page>,
): Promise<number> {
  const before = firstIdAt(cutoff);
  let after: string | undefined = FIRST_ID;
  let removed = 0;
  while (after !== undefined && signal?.aborted !== true) {
    const range = { after, before, limit: batchSize };
    const page: Page = await platform.db.transaction(async (tx) =>
      (await lockRetention(tx)) ? remove(tx, range) : { deleted: 0, last: undefined },
    );
    removed += page.deleted;
    after = page.last;
    if (after !== undefined) await sleep(pauseMs);
  }
  return removed;
}

/** Pictures that no listing shows, once it is clear that their upload is not about to be used. */
async function removeImages(
  platform: Platform,
  before: Date,
  { batchSize = BATCH, pauseMs = PAUSE_MS, signal }: Options,
): Promise<number> {
  let removed = 0;
  while (signal?.aborted !== true) {
    const deleted = await platform.db.transaction(async (tx) =>
      (await lockRetention(tx)) ? deleteUnusedImages(tx, before, batchSize) : 0,
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
