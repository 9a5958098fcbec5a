/** Which metrics a page shows, as its URL says it. Without zod, which is larger than most pages. */
import { TIME_SPANS, type TimeSpan } from "./time-range";

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
