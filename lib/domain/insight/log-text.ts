/** Entries of a log as words and text. Pure. */
import type { LogEntry, LogEventView } from "@/lib/contract/insight/app-log";

const EVENTS: Record<LogEventView["event"], string> = {
  started: "Instance started",
  ready: "Instance is ready",
  failing: "Health checks are failing",
  recovered: "Health checks succeed again",
  failed: "Instance failed",
  stopped: "Instance stopped",
};

export function describeEvent({ event }: LogEventView): string {
  return EVENTS[event];
}

/** What to say about a line whose end is missing. */
export function describeCut(cutBytes: number): string {
  return `${cutBytes.toLocaleString("en-US")} more ${cutBytes === 1 ? "byte" : "bytes"} not stored`;
}

/** Ids of instances that start together begin with the same digits, so the end is shown. */
export function shortInstance(id: string): string {
  return id.slice(-6);
}

/** A line of a file or of a clipboard: time, instance, stream, level, and text. */
export function writeLogEntry(entry: LogEntry): string {
  const head = `${entry.at} ${shortInstance(entry.instanceId)}`;
  if (entry.kind === "event") {
    const text = [describeEvent(entry), entry.reason].filter((part) => part !== null).join(": ");
    return `${head} event - ${text}`;
  }
  const cut = entry.cutBytes === 0 ? "" : ` [${describeCut(entry.cutBytes)}]`;
  return `${head} ${entry.stream} ${entry.level ?? "-"} ${entry.text}${cut}`;
}

const TELLING =
  /\b(error|exception|fatal|panic|traceback|cannot|can't|failed|refused|denied|not found|missing|undefined)\b/i;

/** The line of a log's end that most likely says why the app failed: the last one that speaks of a failure, or the last one. */
export function findTellingLine(text: string): string | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return (lines.findLast((line) => TELLING.test(line)) ?? lines.at(-1))?.trim();
}
