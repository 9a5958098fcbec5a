import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { INSTANCE_EVENT_KINDS, LOG_LEVELS, LOG_STREAMS } from "../../lib/contract/app-log";
import { lease, moment } from "./columns";
import { instances, reasonCodeEnum } from "./instances";
import { versions } from "./listings";

export const logStreamEnum = pgEnum("log_stream", LOG_STREAMS);
export const logLevelEnum = pgEnum("log_level", LOG_LEVELS);
export const instanceEventEnum = pgEnum("instance_event_kind", INSTANCE_EVENT_KINDS);

/** How far the log of an instance is stored. A worker follows it until it is closed. */
export const instanceLogs = pgTable(
  "instance_logs",
  {
    /** The instance's. */
    id: uuid("id")
      .primaryKey()
      .references(() => instances.id, { onDelete: "cascade" }),
    versionId: uuid("version_id").notNull(),
    /** The last stored piece of each stream: when it was written, in nanoseconds, and how many of that time are stored. */
    position: jsonb("position")
      .$type<Partial<Record<string, { at: string; count: number }>>>()
      .notNull()
      .default({}),
    /** The instance has ended, and everything that could be read of its log is stored. */
    closedAt: moment("closed_at"),
    ...lease(),
  },
  (table) => [
    index("open_instance_logs")
      .on(table.id)
      .where(sql`closed_at is null`),
  ],
);

/** How large the stored log of a version is. Its row is locked by whoever adds lines, so that ids grow as commits do. */
export const versionLogs = pgTable("version_logs", {
  versionId: uuid("version_id")
    .primaryKey()
    .references(() => versions.id, { onDelete: "cascade" }),
  /** The last line's. */
  lastId: bigint("last_id", { mode: "number" }).notNull().default(0),
  lines: integer("lines").notNull().default(0),
  /** Of their texts, and of what each line takes besides. */
  bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
  /** No line was written before. */
  oldestAt: moment("oldest_at").notNull().defaultNow(),
});

/** Lines of the instances of a version, without secrets. Without foreign keys, because they are many. */
export const logLines = pgTable(
  "log_lines",
  {
    versionId: uuid("version_id").notNull(),
    /** Counted in each version. */
    id: bigint("id", { mode: "number" }).notNull(),
    instanceId: uuid("instance_id").notNull(),
    at: moment("at").notNull(),
    stream: logStreamEnum("stream").notNull(),
    level: logLevelEnum("level"),
    text: text("text").notNull(),
    cutBytes: integer("cut_bytes").notNull().default(0),
  },
  (table) => [
    primaryKey({ name: "log_lines_pk", columns: [table.versionId, table.id] }),
    // As pages list them. Ids follow commits, which are later than what a worker that takes over reads first.
    index("log_lines_by_time").on(table.versionId, table.at, table.id),
  ],
);

/**
 * What happened to the instances of a version. A trigger on `instances` writes it, so that no change of an instance is missing.
 * Without a foreign key to the instance, which is forgotten earlier.
 */
export const instanceEvents = pgTable(
  "instance_events",
  {
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id, { onDelete: "cascade" }),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    instanceId: uuid("instance_id").notNull(),
    at: moment("at").notNull(),
    kind: instanceEventEnum("kind").notNull(),
    /** Why it is failing or ended; null for other events, and for those of early releases. */
    reasonCode: reasonCodeEnum("reason_code"),
    /** The same with details, as a sentence. */
    reason: text("reason"),
  },
  (table) => [
    primaryKey({ name: "instance_events_pk", columns: [table.versionId, table.id] }),
    index("instance_events_by_time").on(table.versionId, table.at, table.id),
    index().on(table.at),
  ],
);
