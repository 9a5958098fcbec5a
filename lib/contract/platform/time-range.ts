/** Which times a list shows, as URLs say it, and the names of time zones. */

/** How far back from now, with the name of each period and its length. */
export const TIME_SPANS = {
  "1h": { text: "Last hour", ms: 3_600_000 },
  "24h": { text: "Last 24 hours", ms: 86_400_000 },
  "7d": { text: "Last 7 days", ms: 7 * 86_400_000 },
  "30d": { text: "Last 30 days", ms: 30 * 86_400_000 },
} as const;
export type TimeSpan = keyof typeof TIME_SPANS;

export interface TimeRange {
  /** Relative to now; `from` and `to` win over it. */
  last?: TimeSpan;
  /** ISO 8601, with a time zone. */
  from?: string;
  to?: string;
}

/** From a URL's query: what it does not know is ignored. */
export function readTimeRange(query: Readonly<Record<string, unknown>>): TimeRange {
  return {
    last: pickOne(SPANS, query.last),
    from: readInstant(query.from),
    to: readInstant(query.to),
  };
}

const SPANS = ["1h", "24h", "7d", "30d"] as const satisfies TimeSpan[];
const INSTANT =
  /^(?!0000)\d{4}-(0[1-9]|1[0-2])-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function readInstant(given: unknown): string | undefined {
  const instant = readMatch(INSTANT, given);
  if (instant === undefined) return undefined;
  // Months have different lengths: a day that does not exist would be one of the next month.
  const date = instant.slice(0, "2026-11-23".length);
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date) ? instant : undefined;
}

/** Values of a URL's query. What can't be read is undefined, as if it were missing. Without zod, for pages. */

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TEXT_LENGTH = 200;

export function pickOne<Value extends string>(values: readonly Value[], given: unknown): Value | undefined {
  return values.find((value) => value === given);
}

export function readText(given: unknown): string | undefined {
  const text = typeof given === "string" ? given.trim() : "";
  return text === "" || text.length > TEXT_LENGTH ? undefined : text;
}

function readMatch(format: RegExp, given: unknown): string | undefined {
  return typeof given === "string" && format.test(given) ? given : undefined;
}

export function readId(given: unknown): string | undefined {
  return readMatch(ID, given);
}

/** A filter as a URL's query, without what is not set. */
export function toQuery(filter: object): URLSearchParams {
  const set = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(set);
}

export const LONGEST_ZONE = 60;

/** An IANA time zone that this machine knows, such as `Europe/Zurich`. */
export function isZone(name: unknown): name is string {
  if (typeof name !== "string" || name.length > LONGEST_ZONE || !/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
