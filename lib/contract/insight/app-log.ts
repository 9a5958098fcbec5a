/** The log of a version as pages receive it. */
import * as z from "zod";
import { INSTANCE_EVENT_KINDS, LOG_LEVELS, LOG_STREAMS } from "../runtime/app-log";

/**
 * An entry's id is its position: microseconds since 1970, `0` for an event or `1` for a line, and its number, each with leading
 * zeros. So ids sort as the entries do.
 */
export const LOG_POSITION = /^(\d{16})-([01])-(\d{13})$/;

const entry = {
  id: z.string().regex(LOG_POSITION),
  at: z.iso.datetime(),
  instanceId: z.uuid(),
};

export const logLineView = z.object({
  kind: z.literal("line"),
  ...entry,
  stream: z.enum(LOG_STREAMS),
  level: z.enum(LOG_LEVELS).nullable(),
  text: z.string().meta({ description: "One line, without control characters, escape codes and secrets." }),
  cutBytes: z.number().meta({ description: "How many bytes were cut off the end of a long line." }),
});
export type LogLineView = z.infer<typeof logLineView>;

export const logEventView = z.object({
  kind: z.literal("event"),
  ...entry,
  event: z.enum(INSTANCE_EVENT_KINDS),
  reason: z.string().nullable(),
});
export type LogEventView = z.infer<typeof logEventView>;

const logEntry = z.discriminatedUnion("kind", [logLineView, logEventView]);
export type LogEntry = z.infer<typeof logEntry>;

const logInstance = z.object({
  id: z.uuid(),
  startedAt: z.iso.datetime().meta({ description: "When it was first recorded." }),
  endedAt: z.iso.datetime().nullable().meta({ description: "Null while it runs." }),
});
export type LogInstance = z.infer<typeof logInstance>;

/**
 * Oldest first. `next`: the position before which the next page, with older entries, ends. `searchedTo`: the search stopped there,
 * because too few of the lines that it looked at matched. On the first page: `position`, where live updates start, and
 * `instances`, the newest first.
 */
export const logPage = z.object({
  entries: z.array(logEntry),
  next: z.string().optional(),
  searchedTo: z.iso.datetime().optional(),
  position: z.string().optional(),
  instances: z.array(logInstance).optional(),
});
export type LogPage = z.infer<typeof logPage>;

/** What a live list adds. `more`: so much was written that the list must be read again. */
export interface LogChanges {
  entries: LogEntry[];
  more: boolean;
}
