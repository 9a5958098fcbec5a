/** What the list of a log draws. Pure. */
import type { LogEntry } from "@/lib/contract/log-view";

export interface LogRow {
  entry: LogEntry;
  /** It is the first one of its day, in the browser's time zone. */
  startsDay: boolean;
}

export function groupRows(entries: readonly LogEntry[]): LogRow[] {
  let day = "";
  return entries.map((entry) => {
    const before = day;
    day = new Date(entry.at).toDateString();
    return { entry, startsDay: day !== before };
  });
}
