/** Which calls a list shows, as URLs say it. Read on every page of calls, so it does without zod, which is larger than most pages. */
import { ROUTE_KINDS, type RouteKind } from "./installation-states";

/**
 * `waiting` and `dead` list deliveries: those that are sent or tried again later, and those with no try left. The others list
 * attempts.
 */
export const CALL_STATES = ["succeeded", "failed", "open", "waiting", "dead"] as const;

/** `launches`: to Test Launches. `console`: test calls that a member sent. `production`: neither. */
export const CALL_SOURCES = ["production", "launches", "console"] as const;

/** How far back from now, with the name of each period and its length. */
export const CALL_SPANS = {
  "1h": { text: "Last hour", ms: 3_600_000 },
  "24h": { text: "Last 24 hours", ms: 86_400_000 },
  "7d": { text: "Last 7 days", ms: 7 * 86_400_000 },
  "30d": { text: "Last 30 days", ms: 30 * 86_400_000 },
} as const;
export type CallSpan = keyof typeof CALL_SPANS;

/** Deliveries that a filter shows are counted up to here. */
export const MOST_COUNTED = 10_000;

export interface CallFilter {
  state?: (typeof CALL_STATES)[number];
  kind?: RouteKind;
  source?: (typeof CALL_SOURCES)[number];
  /** `<org-name>/<app-name>`. */
  app?: string;
  /** An id. */
  installation?: string;
  /** The path that the manifest declares. */
  path?: string;
  /** The beginning of an event type or an operation. */
  event?: string;
  /** Relative to now; `from` and `to` win over it. */
  last?: CallSpan;
  /** ISO 8601, with a time zone. */
  from?: string;
  to?: string;
  /** At least this many milliseconds. */
  slower?: number;
  /** In the target, the failure, or the event type. */
  q?: string;
}

/** From a URL's query: what it does not know is ignored. */
export function readCallFilter(query: Readonly<Record<string, unknown>>): CallFilter {
  return {
    state: pickOne(CALL_STATES, query.state),
    kind: pickOne(ROUTE_KINDS, query.kind),
    source: pickOne(CALL_SOURCES, query.source),
    app: readText(query.app),
    installation: readMatch(ID, query.installation),
    path: readText(query.path),
    event: readText(query.event),
    last: pickOne(SPANS, query.last),
    from: readInstant(query.from),
    to: readInstant(query.to),
    slower: readMilliseconds(query.slower),
    q: readText(query.q),
  };
}

/** The filter as a URL's query, without what is not set. */
export function toCallQuery(filter: CallFilter): URLSearchParams {
  const set = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(set);
}

const SPANS = ["1h", "24h", "7d", "30d"] as const satisfies CallSpan[];
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INSTANT =
  /^(?!0000)\d{4}-(0[1-9]|1[0-2])-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
const TEXT_LENGTH = 200;
const DAY_MS = 86_400_000;

function pickOne<Value extends string>(values: readonly Value[], given: unknown): Value | undefined {
  return values.find((value) => value === given);
}

function readText(given: unknown): string | undefined {
  const text = typeof given === "string" ? given.trim() : "";
  return text === "" || text.length > TEXT_LENGTH ? undefined : text;
}

function readMatch(format: RegExp, given: unknown): string | undefined {
  return typeof given === "string" && format.test(given) ? given : undefined;
}

function readInstant(given: unknown): string | undefined {
  const instant = readMatch(INSTANT, given);
  if (instant === undefined) return undefined;
  // Months have different lengths: a day that does not exist would be one of the next month.
  const date = instant.slice(0, "2026-11-23".length);
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date) ? instant : undefined;
}

function readMilliseconds(given: unknown): number | undefined {
  const ms = typeof given === "string" || typeof given === "number" ? Number(given) : NaN;
  return Number.isInteger(ms) && ms > 0 && ms <= DAY_MS ? ms : undefined;
}
