/** Counts the calls of each hour once it is over: charts of weeks add these up. See docs/decisions/023. */
import { setTimeout as sleep } from "node:timers/promises";
import { firstIdAt } from "@/lib/contract/platform/text";
import { createdAt, HOUR_MS } from "@/lib/domain/calls/call-range";
import type { Platform } from "../../platform/platform";
import {
  deleteHours,
  insertHour,
  lockCounting,
  selectCountedUntil,
  selectFirstAttempt,
} from "./chart-queries";

/** How long after an hour its last calls can still end or be written. The longest call takes a minute. */
const SETTLE_MS = 5 * 60_000;
/** The pause between hours, so that counting a month uses only a small part of the database's time. */
const PAUSE_MS = 20;

interface Options {
  now?: Date;
  /** Stops after the current hour. */
  signal?: AbortSignal;
}

/**
 * Counts all hours that are over and not counted, oldest first, and removes those that are older than calls are kept. One worker
 * at a time. Returns how many hours were counted.
 */
export async function countHours(
  platform: Platform,
  { now = new Date(), signal }: Options = {},
): Promise<number> {
  const keptMs = platform.environment.PLATFORM_KEEP_CALLS_DAYS * 24 * HOUR_MS;
  const keptFrom = startOfHour(new Date(now.getTime() - keptMs));
  let counted = 0;
  while (signal?.aborted !== true && (await countNext(platform, keptFrom, now))) {
    counted += 1;
    await sleep(PAUSE_MS);
  }
  if (counted > 0) await deleteHours(platform.db, keptFrom);
  return counted;
}

/** False if no hour is left. Hours without calls are skipped. */
function countNext({ db }: Platform, keptFrom: Date, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockCounting(tx))) return false;
    const until = (await selectCountedUntil(tx)) ?? keptFrom;
    const first = await selectFirstAttempt(tx, firstIdAt(until > keptFrom ? until : keptFrom));
    if (first === undefined) return false;
    const hour = startOfHour(createdAt(first));
    const end = new Date(hour.getTime() + HOUR_MS);
    if (end.getTime() + SETTLE_MS > now.getTime()) return false;
    await insertHour(tx, hour, { from: firstIdAt(hour), to: firstIdAt(end) });
    return true;
  });
}

function startOfHour(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);
}
