/** Which calls a list shows, as URLs say it. Read on every page of calls, so it does without zod, which is larger than most pages. */
import { ROUTE_KINDS, type RouteKind } from "../catalog/installation-states";
import { pickOne, readId, readText, readTimeRange, type TimeRange, toQuery } from "../platform/time-range";

/**
 * `waiting` and `dead` list deliveries: those that are sent or tried again later, and those with no try left. The others list
 * attempts.
 */
export const CALL_STATES = ["succeeded", "failed", "open", "waiting", "dead"] as const;

/** `launches`: to Test Launches. `console`: test calls that a member sent. `production`: neither. */
export const CALL_SOURCES = ["production", "launches", "console"] as const;

/** Deliveries that a filter shows are counted up to here. */
export const MOST_COUNTED = 10_000;

export interface CallFilter extends TimeRange {
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
  /** At least this many milliseconds. */
  slower?: number;
  /** Text in the target, the failure, or the event type. */
  q?: string;
}

/** From a URL's query: what it does not know is ignored. */
export function readCallFilter(query: Readonly<Record<string, unknown>>): CallFilter {
  return {
    state: pickOne(CALL_STATES, query.state),
    kind: pickOne(ROUTE_KINDS, query.kind),
    source: pickOne(CALL_SOURCES, query.source),
    app: readText(query.app),
    installation: readId(query.installation),
    path: readText(query.path),
    event: readText(query.event),
    ...readTimeRange(query),
    slower: readMilliseconds(query.slower),
    q: readText(query.q),
  };
}

/** The filter as a URL's query, without what is not set. */
export function toCallQuery(filter: CallFilter): URLSearchParams {
  return toQuery(filter);
}

const DAY_MS = 86_400_000;

function readMilliseconds(given: unknown): number | undefined {
  const ms = typeof given === "string" || typeof given === "number" ? Number(given) : NaN;
  return Number.isInteger(ms) && ms > 0 && ms <= DAY_MS ? ms : undefined;
}
