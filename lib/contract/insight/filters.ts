/** Which entries of a version's log a list shows, as URLs say it. Read on the page, so it does without zod. */
import {
  pickOne,
  readId,
  readText,
  readTimeRange,
  TIME_SPANS,
  type TimeRange,
  type TimeSpan,
} from "../platform/time-range";
import { LOG_LEVELS, LOG_STREAMS } from "../runtime/app-log";

/** A log can be narrowed to the newest instances of its version. */
export const LISTED_INSTANCES = 50;

export interface LogFilter extends TimeRange {
  /** An id. */
  instance?: string;
  /** The platform's own words are shown with each. */
  stream?: (typeof LOG_STREAMS)[number];
  level?: (typeof LOG_LEVELS)[number];
  /** Any part of a line. Case doesn't matter. */
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

// Which metrics a page shows, as its URL says it. Without zod, which is larger than most pages.

export interface MetricsFilter {
  /** The number of a version; without it, the newest that runs or ran last. */
  version?: string;
  last: TimeSpan;
}

const DEFAULT_SPAN: TimeSpan = "24h";

/** From a URL's query: what it does not know is ignored. */
export function readMetricsFilter(query: Readonly<Record<string, string | undefined>>): MetricsFilter {
  const { version, last } = query;
  return { version: version === "" ? undefined : version, last: isSpan(last) ? last : DEFAULT_SPAN };
}

/** The filter as a URL's query with its question mark; empty for the default. */
export function toMetricsQuery({ version, last }: MetricsFilter): string {
  const query = new URLSearchParams({
    ...(version === undefined ? {} : { version }),
    ...(last === DEFAULT_SPAN ? {} : { last }),
  }).toString();
  return query === "" ? "" : `?${query}`;
}

function isSpan(text: string | undefined): text is TimeSpan {
  return text !== undefined && Object.hasOwn(TIME_SPANS, text);
}
