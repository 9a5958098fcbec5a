/** The log of a version's instances, as it is stored. */

/** `platform`: written by the platform where lines are missing. */
export const LOG_STREAMS = ["stdout", "stderr", "platform"] as const;

/** The level that a line of JSON states; most severe first. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What happens to an instance. `failing` and `recovered`: its health checks. */
export const INSTANCE_EVENT_KINDS = [
  "started",
  "ready",
  "failing",
  "recovered",
  "failed",
  "stopped",
] as const;

export interface LogLine {
  stream: (typeof LOG_STREAMS)[number];
  level: LogLevel | null;
  /** One line, without control characters, escape codes and secrets. */
  text: string;
  /** How many bytes were cut off the end of a long line. */
  cutBytes: number;
}
