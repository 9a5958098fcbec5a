/** Days and times of a person's clock as instants, also where the clock is changed. */
import {
  type CalendarDateTime,
  fromDate,
  parseDate,
  parseDateTime,
  toCalendarDateTime,
  toZoned,
} from "@internationalized/date";

/** As a `datetime-local` input takes it: `2026-03-29T01:30:00`. */
export function toLocalTime(at: string | undefined, zone: string): string {
  if (at === undefined) return "";
  const local = toCalendarDateTime(fromDate(new Date(at), zone)).set({ millisecond: 0 });
  return local.toString().slice(0, "2026-03-29T01:30:00".length);
}

/**
 * The instant at which a clock shows this time. When clocks go forward, some times never are, and when they go back, some are twice.
 * A range then begins at the earlier and ends at the later instant, so that it contains whatever was meant. Undefined for an
 * empty or unfinished text.
 */
export function toInstant(local: string, zone: string, end: "from" | "to"): string | undefined {
  const time = parse(local);
  if (time === undefined) return undefined;
  return toZoned(time, zone, end === "from" ? "earlier" : "later").toAbsoluteString();
}

function parse(local: string): CalendarDateTime | undefined {
  try {
    return parseDateTime(local);
  } catch {
    return undefined;
  }
}

/** When a day begins, `2026-03-29`: not at midnight where clocks go forward then. */
export function startOfDay(day: string, zone: string): Date {
  return toZoned(parseDate(day), zone).toDate();
}

export function endOfDay(day: string, zone: string): Date {
  return toZoned(parseDate(day).add({ days: 1 }), zone).toDate();
}

/** When the day of this instant ends. */
export function nextMidnight(now: Date, zone: string): Date {
  return endOfDay(toLocalTime(now.toISOString(), zone).slice(0, "2026-03-29".length), zone);
}
