/** A person's time zone, and times as they are written in it. Every absolute time of the pages and emails is written here. */
import { isZone, LONGEST_ZONE } from "@/lib/contract/platform/time-range";

/** Of people whose browser has not named its own yet, and of what concerns nobody in particular. */
export const UTC = "UTC";

export function browserZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isZone(timeZone) ? timeZone : UTC;
}

/** Of a person to whom the platform writes: the zone that was chosen. */
export function readZone(chosen: string | null): string {
  return isZone(chosen) ? chosen : UTC;
}

const FORMATS = {
  /** 1 Mar 2026, 13:00:00 */
  exact: ["en-GB", { dateStyle: "medium", timeStyle: "medium" }],
  /** 13:00:00.250 */
  time: ["en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 }],
  /** Sunday, March 1, 2026 */
  day: ["en-US", { weekday: "long", year: "numeric", month: "long", day: "numeric" }],
  /** Mar 1, 1:00:00 PM */
  moment: [
    "en-US",
    { month: "short", day: "numeric", hour: "numeric", minute: "2-digit", second: "2-digit" },
  ],
  /** Mar 1, 1:00 PM */
  minute: ["en-US", { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" }],
  /** Mar 1, 1 PM */
  hour: ["en-US", { month: "short", day: "numeric", hour: "numeric" }],
  /** 1:00:00 PM */
  timeOfDay: ["en-US", { timeStyle: "medium" }],
  /** 1:00 PM */
  minuteOfDay: ["en-US", { hour: "numeric", minute: "2-digit" }],
  /** 1 PM */
  hourOfDay: ["en-US", { hour: "numeric" }],
  /** Mar 1 */
  date: ["en-US", { month: "short", day: "numeric" }],
  /** March 1 */
  monthDay: ["en-US", { month: "long", day: "numeric" }],
  offset: ["en-US", { timeZoneName: "longOffset" }],
} as const satisfies Record<string, [locale: string, options: Intl.DateTimeFormatOptions]>;
export type TimeFormat = keyof typeof FORMATS;

/** Creating a format takes longer than writing a thousand times. */
const formats = new Map<string, Intl.DateTimeFormat>();

export function timeFormat(format: TimeFormat, zone: string): Intl.DateTimeFormat {
  const key = `${format} ${zone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const [locale, options] = FORMATS[format];
  const created = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
  formats.set(key, created);
  return created;
}

export function writeTime(at: Date | string | number, format: TimeFormat, zone: string): string {
  return timeFormat(format, zone).format(new Date(at));
}

/** `UTC`, `UTC+1`, `UTC+5:30`: what the zone's clocks show at that time. */
function offsetAt(zone: string, at: Date): string {
  const parts = timeFormat("offset", zone).formatToParts(at);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign = "", hours = "0", minutes = "00"] = /^GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  if (sign === "" || (Number(hours) === 0 && minutes === "00")) return UTC;
  return `UTC${sign === "-" ? "−" : "+"}${Number(hours)}${minutes === "00" ? "" : `:${minutes}`}`;
}

/** `Europe/Zurich, UTC+1`. */
export function nameZone(zone: string, at: Date | string | number = Date.now()): string {
  const offset = offsetAt(zone, new Date(at));
  return zone === offset ? zone : `${zone}, ${offset}`;
}

/** A time with its zone: `1 Mar 2026, 13:00:00 (Europe/Zurich, UTC+1)`. */
export function exactTime(at: Date | string | number, zone: string): string {
  return `${writeTime(at, "exact", zone)} (${nameZone(zone, at)})`;
}

// The cookie that says which zone a person has. Browsers write it, and pages read it.

export const ZONE_COOKIE = "platform-zone";

/** `chosen`: on the account page, for all of the person's browsers. Otherwise the browser's, whatever that is at the time. */
export interface PersonalZone {
  zone: string;
  chosen: boolean;
}

const CHOSEN = "chosen~";

export function writeZoneCookie({ zone, chosen }: PersonalZone): string {
  return encodeURIComponent((chosen ? CHOSEN : "") + zone);
}

/** The zone that an account has chosen applies in each browser. Without one it is the browser's own, which the cookie names. */
export function decidePersonalZone(
  account: { zone?: string } | undefined,
  cookie: string | undefined,
): PersonalZone | undefined {
  const kept = readZoneCookie(cookie);
  if (account === undefined) return kept;
  if (account.zone !== undefined) return { zone: account.zone, chosen: true };
  // Chosen by somebody else, or before it was given up in another browser.
  return kept && { ...kept, chosen: false };
}

/** Undefined without a cookie, or with one that names no zone. */
export function readZoneCookie(value: string | undefined): PersonalZone | undefined {
  if (value === undefined || value.length > 3 * LONGEST_ZONE) return undefined;
  let text = value;
  try {
    text = decodeURIComponent(value);
  } catch {
    return undefined;
  }
  const chosen = text.startsWith(CHOSEN);
  const zone = chosen ? text.slice(CHOSEN.length) : text;
  return isZone(zone) ? { zone, chosen } : undefined;
}
