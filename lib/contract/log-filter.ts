/** Which entries of a version's log a list shows, as URLs say it. Read on the page, so it does without zod. */
import { LOG_LEVELS, LOG_STREAMS } from "./app-log";
import { pickOne, readId, readText } from "./query-values";
import { readTimeRange, type TimeRange } from "./time-range";

export interface LogFilter extends TimeRange {
  /** An id. */
  instance?: string;
  /** The platform's own words are shown with each. */
  stream?: (typeof LOG_STREAMS)[number];
  level?: (typeof LOG_LEVELS)[number];
  /** Any part of a line, in any case. */
  q?: string;
}

/** From a URL's query: what it does not know is ignored. */
export function readLogFilter(query: Readonly<Record<string, unknown>>): LogFilter {
  return {
    instance: readId(query.instance),
    stream: pickOne(LOG_STREAMS, query.stream),
    level: pickOne(LOG_LEVELS, query.level),
    q: readText(query.q),
    ...readTimeRange(query),
  };
}
