/**
 * The figures that listings tell: a worker adds up each day once it is over, from hours that are counted and events that are kept
 * anyway, so that a page reads a few rows and no calls.
 */
import { firstIdAt } from "@/lib/contract/platform/text";
import { USED_BY_LEAST } from "@/lib/domain/catalog/marketplace";
import { createdAt } from "@/lib/domain/calls/call-range";
import { measureDay, traceHealth } from "@/lib/domain/insight/health-history";
import { addFigures, FIGURE_DAYS, type ListingFigures } from "@/lib/domain/insight/listing-figures";
import type { Platform } from "../../platform/platform";
import { DAY_MS } from "../../platform/retention-queries";
import { selectCountedUntil, selectFirstAttempt } from "../call-log/chart-queries";
import { selectEvents } from "./history-queries";
import * as queries from "./listing-figures-queries";

/** Of a listing, for everybody. */
export async function readListingFigures(
  { db }: Platform,
  listingId: string,
  now = new Date(),
): Promise<ListingFigures> {
  const since = new Date(startOfDay(now).getTime() - FIGURE_DAYS * DAY_MS);
  return addFigures(await queries.selectListingDays(db, listingId, since));
}

interface Options {
  now?: Date;
  /** Stops after the current day. */
  signal?: AbortSignal;
}

/** Counts the days that are over and not counted, oldest first, and who uses what. Returns how many days were counted. */
export async function countListingDays(
  platform: Platform,
  { now = new Date(), signal }: Options = {},
): Promise<number> {
  const { db } = platform;
  await queries.countUsers(db, USED_BY_LEAST, now);
  const next = await queries.selectNextDay(db);
  let counted = 0;
  for (
    let day = next;
    day !== undefined && day < startOfDay(now) && signal?.aborted !== true;
    day = after(day)
  ) {
    if (!(await countDay(platform, day))) break;
    counted += 1;
  }
  return counted;
}

/** False if it can't be counted yet, or another worker counts. A worker that dies leaves no day half counted. */
function countDay({ db }: Platform, day: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await queries.lockListingDays(tx))) return false;
    const end = after(day);
    // Its hours are counted once no call is left in front of their end.
    const until = await selectCountedUntil(tx);
    const left = await selectFirstAttempt(tx, firstIdAt(until ?? day));
    if (left !== undefined && createdAt(left) < end) return false;
    await queries.insertCallsOfDay(tx, day, end);
    const used = await queries.selectUsedVersions(tx, end);
    for (const [listingId, versionIds] of used) {
      const events = await selectEvents(tx, versionIds);
      const health = versionIds.map((id) => measureDay(traceHealth(events.get(id) ?? []), day));
      const sum = (read: (one: (typeof health)[number]) => number) =>
        health.reduce((total, one) => total + read(one), 0);
      await queries.writeHealthOfDay(tx, listingId, day, {
        wantedMs: sum(({ wantedMs }) => wantedMs),
        healthyMs: sum(({ healthyMs }) => healthyMs),
      });
    }
    await queries.deleteDays(tx, new Date(end.getTime() - (FIGURE_DAYS + 1) * DAY_MS));
    return true;
  });
}

function after(day: Date): Date {
  return new Date(day.getTime() + DAY_MS);
}

function startOfDay(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);
}
