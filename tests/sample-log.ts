/** Entries of a log, for tests of components. */
import type { LogEventView, LogLineView } from "@/lib/contract/insight/app-log";

export const INSTANCE = "019ab000-0000-7000-8000-00000003f2a1";
export const OTHER_INSTANCE = "019ab000-0000-7000-8000-00000007c4d9";

/** A line with this number, written that many seconds after the first. */
export function sampleLine(number: number, changed: Partial<LogLineView> = {}): LogLineView {
  const at = changed.at ?? momentAt(number);
  return {
    kind: "line",
    id: position(at, 1, number),
    at,
    instanceId: INSTANCE,
    stream: "stdout",
    level: null,
    text: `line ${number}`,
    cutBytes: 0,
    ...changed,
  };
}

export function sampleEvent(
  number: number,
  event: LogEventView["event"],
  changed: Partial<LogEventView> = {},
): LogEventView {
  const at = changed.at ?? momentAt(number);
  return {
    ...{ kind: "event", id: position(at, 0, number), at },
    ...{ instanceId: INSTANCE, event, reason: null },
    ...changed,
  };
}

const momentAt = (number: number) =>
  new Date(Date.parse("2026-11-20T10:00:00.120Z") + number * 1_000).toISOString();

const position = (at: string, kind: 0 | 1, number: number) =>
  `${Date.parse(at)}000-${kind}-${String(number).padStart(13, "0")}`;
