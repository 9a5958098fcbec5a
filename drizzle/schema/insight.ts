import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { LOG_EXCERPT_STATES } from "../../lib/contract/insight/call";
import { attempts } from "./calls";
import { listings, versions } from "./catalog";
import { createdAt, lease, moment } from "./columns";
import { instances } from "./runtime";

/**
 * The attempts of each hour, counted once it is over, so that charts of weeks don't read them again. Without foreign keys, like
 * the attempts. A row is what charts can be narrowed to; its arrays have an entry for each latency that occurred.
 */
export const callHours = pgTable(
  "call_hours",
  {
    /** When it begins. */
    hour: timestamp("hour", { withTimezone: true, mode: "date" }).notNull(),
    organizationId: uuid("organization_id").notNull(),
    installationId: uuid("installation_id").notNull(),
    routeId: uuid("route_id").notNull(),
    test: boolean("test").notNull(),
    /** Empty for calls without one. */
    eventType: text("event_type").notNull(),
    /** Buckets of `lib/domain/calls/call-range.ts`. */
    latencies: smallint("latencies").array().notNull(),
    calls: integer("calls").array().notNull(),
    failed: integer("failed").array().notNull(),
  },
  (table) => [
    primaryKey({
      name: "call_hours_pk",
      columns: [
        table.organizationId,
        table.hour,
        table.installationId,
        table.routeId,
        table.test,
        table.eventType,
      ],
    }),
    index().on(table.hour),
  ],
);

/**
 * What the customers of each listing saw of it on each day, counted once the day is over, and kept as long as listings tell it. Its
 * publisher's own calls, Test Launches, and what strangers can call are not in it.
 */
export const listingDays = pgTable(
  "listing_days",
  {
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id, { onDelete: "cascade" }),
    /** When it begins, in UTC. */
    day: moment("day").notNull(),
    /** As in `call_hours`. */
    latencies: smallint("latencies").array().notNull().default([]),
    calls: integer("calls").array().notNull().default([]),
    failed: integer("failed").notNull().default(0),
    /** For how long the versions that customers use should have run, all together, and for how long they were healthy. */
    wantedMs: bigint("wanted_ms", { mode: "number" }).notNull().default(0),
    healthyMs: bigint("healthy_ms", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    primaryKey({ name: "listing_days_pk", columns: [table.listingId, table.day] }),
    index().on(table.day),
  ],
);

export const logExcerptStateEnum = pgEnum("log_excerpt_state", LOG_EXCERPT_STATES);

/** What an app wrote to its log while it handled an attempt. Only a worker reaches logs, so it reads what others ask for here. */
export const logExcerpts = pgTable(
  "log_excerpts",
  {
    attemptId: uuid("attempt_id")
      .primaryKey()
      .references(() => attempts.id, { onDelete: "cascade" }),
    state: logExcerptStateEnum("state").notNull().default("WAITING"),
    /** The instance whose log it is, as far as it is kept; null if nothing ran. */
    instanceId: uuid("instance_id").references(() => instances.id, { onDelete: "set null" }),
    /** Without secrets, state keys and control characters. Null until it is read, and if it is gone. */
    text: text("text"),
    /** The app wrote more than is stored. */
    cut: boolean("cut").notNull().default(false),
    createdAt: createdAt(),
    ...lease(),
  },
  (table) => [
    index("waiting_log_excerpts")
      .on(table.createdAt)
      .where(sql`state = 'WAITING'`),
    index().on(table.instanceId),
  ],
);

const count = (name: string) => bigint(name, { mode: "number" });

/**
 * What a running instance of a version used at one moment, kept for two days. Without foreign keys, because they are many.
 * Limits are null if there are none.
 */
export const usageSamples = pgTable(
  "usage_samples",
  {
    versionId: uuid("version_id").notNull(),
    at: moment("at").notNull(),
    instanceId: uuid("instance_id").notNull(),
    /** CPU time since the instance started, in nanoseconds. */
    cpuNs: count("cpu_ns").notNull(),
    /**
     * CPU time since the sample before, in nanoseconds, and how long ago that was, in milliseconds. Null for the first sample
     * of an instance, after a gap, and if its counter began again.
     */
    usedNs: count("used_ns"),
    elapsedMs: integer("elapsed_ms"),
    memoryBytes: count("memory_bytes").notNull(),
    /** Thousandths of a core, and bytes. */
    cpuLimitMillis: integer("cpu_limit_millis"),
    memoryLimitBytes: count("memory_limit_bytes"),
  },
  (table) => [
    primaryKey({ name: "usage_samples_pk", columns: [table.versionId, table.at, table.instanceId] }),
    index().on(table.at),
  ],
);

/** The samples of each version and hour added up as they come, kept for a month. */
export const usageHours = pgTable(
  "usage_hours",
  {
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id, { onDelete: "cascade" }),
    /** When it begins. */
    hour: moment("hour").notNull(),
    samples: integer("samples").notNull(),
    usedNs: count("used_ns").notNull(),
    /** The time in which `usedNs` was used. */
    elapsedMs: count("elapsed_ms").notNull(),
    /** Of the busiest time between two samples, in cores; null if there was none. */
    peakCores: doublePrecision("peak_cores"),
    /** Of all samples together. */
    memoryBytes: count("memory_bytes").notNull(),
    peakMemoryBytes: count("peak_memory_bytes").notNull(),
    cpuLimitMillis: integer("cpu_limit_millis"),
    memoryLimitBytes: count("memory_limit_bytes"),
  },
  (table) => [
    primaryKey({ name: "usage_hours_pk", columns: [table.versionId, table.hour] }),
    index().on(table.hour),
  ],
);

/** `view`: somebody opened the listing. `launch`: somebody opened the launch of the app. */
export const visitKindEnum = pgEnum("visit_kind", ["view", "launch"]);
export type VisitKind = (typeof visitKindEnum.enumValues)[number];

/** Who looked at a listing or began a launch of it on a day, until the next one: each counts once. Nobody can be found from it. */
export const listingVisitors = pgTable(
  "listing_visitors",
  {
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id, { onDelete: "cascade" }),
    day: date("day").notNull(),
    kind: visitKindEnum("kind").notNull(),
    /** A keyed hash of the organization, or of the network of somebody who is not signed in; another one on each day. */
    visitor: text("visitor").notNull(),
  },
  (table) => [
    primaryKey({
      name: "listing_visitors_pk",
      columns: [table.listingId, table.day, table.kind, table.visitor],
    }),
    index().on(table.day),
  ],
);

/** How many visitors a listing had on each day, without those of its own organization. */
export const visitDays = pgTable(
  "visit_days",
  {
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id, { onDelete: "cascade" }),
    day: date("day").notNull(),
    kind: visitKindEnum("kind").notNull(),
    visitors: integer("visitors").notNull(),
  },
  (table) => [
    primaryKey({ name: "visit_days_pk", columns: [table.listingId, table.day, table.kind] }),
    index().on(table.day),
  ],
);
