/** The queries of what publishers' tools read. Unlike a page, the gateway refuses what it doesn't know. */
import * as z from "zod";
import { LOG_LEVELS, LOG_STREAMS } from "./app-log";
import { CALL_SOURCES, CALL_STATES } from "./call-filter";
import { ROUTE_KINDS } from "./installation-states";
import { LOG_POSITION } from "./log-view";
import { replaySelection } from "./replay";

/** PostgreSQL can't compare with a NUL character. Not `\0`, which isn't NUL in the patterns of every language. */
const NO_NUL = new RegExp("^[^\\u0000]*$");
const text = z.string().min(1).max(200).regex(NO_NUL, "Remove the NUL character (U+0000).");
const instant = z.iso.datetime({ offset: true });
const version = z.string().max(40).regex(NO_NUL).meta({ description: "A version number.", example: "1.4.0" });

const range = {
  last: z.enum(["1h", "24h", "7d", "30d"]).optional().meta({ description: "How far back from now." }),
  from: instant.optional().meta({ description: "Not before. Wins over `last`, as does `to`." }),
  to: instant.optional().meta({ description: "Before." }),
};

export const versionsQuery = z.strictObject({
  before: z.uuid().optional().meta({ description: "The `next` of the previous page." }),
});

const logFilter = {
  version: version
    .optional()
    .meta({ description: "By default, the version that wrote last.", example: "1.4.0" }),
  instance: z.uuid().optional(),
  stream: z.enum(LOG_STREAMS).optional(),
  level: z.enum(LOG_LEVELS).optional(),
  q: text.optional().meta({ description: "Any part of a line, in any case." }),
  ...range,
};

export const logQuery = z.strictObject({
  ...logFilter,
  before: z.string().regex(LOG_POSITION).optional().meta({ description: "The `next` of the previous page." }),
});

export const logStreamQuery = z.strictObject({
  ...logFilter,
  after: z.string().max(1_000).optional().meta({
    description: "The `position` of a page. `Last-Event-ID` wins over it. Now by default.",
  }),
});

const callFilter = {
  state: z.enum(CALL_STATES).optional().meta({
    description: "`waiting` and `dead` list deliveries, the others calls.",
  }),
  kind: z.enum(ROUTE_KINDS).optional(),
  source: z.enum(CALL_SOURCES).optional().meta({
    description: "`launches`: to Test Launches. `console`: test calls. `production`: neither.",
  }),
  installation: z.uuid().optional(),
  path: text.optional().meta({ description: "The path that the manifest declares." }),
  event: text.optional().meta({ description: "The beginning of an event type or an operation." }),
  slower: z.coerce.number().int().min(1).max(86_400_000).optional().meta({
    description: "At least this many milliseconds.",
  }),
  q: text.optional().meta({ description: "In the target, the failure, or the event type." }),
  ...range,
};

export const callsQuery = z.strictObject({
  ...callFilter,
  before: z.uuid().optional().meta({ description: "The `next` of the previous page." }),
});

export const callStreamQuery = z.strictObject({
  ...callFilter,
  after: logStreamQuery.shape.after,
});

/** Exactly what is replayed: a filter that is not understood must not mean everything. */
export const appReplayInput = z.union([
  replaySelection,
  z.strictObject({ filter: z.strictObject(callFilter).omit({ state: true }) }),
]);
