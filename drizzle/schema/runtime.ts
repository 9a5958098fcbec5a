import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { INSTANCE_EVENT_KINDS, LOG_LEVELS, LOG_STREAMS } from "../../lib/contract/runtime/app-log";
import { REASON_CODES, UNPARK_CAUSES } from "../../lib/contract/runtime/instance-reasons";
import type { EgressWay } from "../../lib/contract/runtime/egress";
import type { IsolationPlace } from "../../lib/contract/runtime/isolation";
import { users } from "./accounts";
import { versions } from "./catalog";
import { createdAt, id, jsonb, lease, moment } from "./columns";

/** `DRAINING`: it gets no more calls, and ends after the ones in progress. */
const INSTANCE_STATES = ["STARTING", "READY", "DRAINING", "FAILED", "STOPPED"] as const;

export const instanceStateEnum = pgEnum("instance_state", INSTANCE_STATES);

export const reasonCodeEnum = pgEnum("instance_reason_code", REASON_CODES);

/** Which platform this database is of: it labels what the platform owns where several may run apps. There is one row. */
export const runtimeOwner = pgTable(
  "runtime_owner",
  {
    one: boolean("one").primaryKey().default(true),
    id: uuid("id").notNull().defaultRandom(),
  },
  (table) => [check("one_owner", sql`${table.one}`)],
);

export const unparkCauseEnum = pgEnum("unpark_cause", UNPARK_CAUSES);

/** A running container (or process) of a version, one of its replicas. It serves all installations of that version. */
export const instances = pgTable(
  "instances",
  {
    id: id(),
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id),
    /** Of the version's instances that have not ended, each has a number of its own. */
    replica: integer("replica").notNull().default(0),
    runtime: text("runtime").notNull(),
    /** The runtime's handle: a container id, or a process id with its start time. */
    handle: text("handle"),
    /** Origin that the platform calls, such as `http://127.0.0.1:49153`. */
    origin: text("origin"),
    /** The machine that it runs on, as operators know it: a cluster's node, or an engine's host. Null if it is not known. */
    node: text("node"),
    /** Origin of the state API that it was given; null if an earlier release started it. */
    stateApi: text("state_api"),
    state: instanceStateEnum("state").notNull().default("STARTING"),
    /** Why it ended, or why its last health check failed; null if neither. */
    reasonCode: reasonCodeEnum("reason_code"),
    /** The same with details, as a sentence. */
    reason: text("reason"),
    /** 128 plus the number of the signal that killed it; null if it did not exit by itself. */
    exitCode: integer("exit_code"),
    logTail: text("log_tail"),
    failedChecks: integer("failed_checks").notNull().default(0),
    /** Since when its health checks fail; null if the last one succeeded. `reason` then says why. */
    failingSince: moment("failing_since"),
    createdAt: createdAt(),
    readyAt: moment("ready_at"),
    checkedAt: moment("checked_at"),
    drainingSince: moment("draining_since"),
    /** When a worker last set out to measure what it uses. */
    sampledAt: moment("sampled_at"),
    endedAt: moment("ended_at"),
  },
  (table) => [
    index().on(table.versionId),
    uniqueIndex("one_live_instance_a_replica")
      .on(table.versionId, table.replica)
      .where(sql`state not in ('FAILED', 'STOPPED')`),
  ],
);

/** Calls in progress at a version, as each process of the gateway and the worker reports them. Old rows mean nothing. */
export const callLoads = pgTable(
  "call_loads",
  {
    processId: uuid("process_id").notNull(),
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id, { onDelete: "cascade" }),
    /** On average since the report before. */
    calls: real("calls").notNull(),
    at: moment("at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ name: "call_loads_pk", columns: [table.processId, table.versionId] })],
);

/** How many replicas of a version the platform wants because of its calls, where the publisher lets it add some. */
export const scalings = pgTable("scalings", {
  versionId: uuid("version_id")
    .primaryKey()
    .references(() => versions.id, { onDelete: "cascade" }),
  replicas: integer("replicas").notNull(),
  /** Since when fewer would be enough; null if they wouldn't. */
  enoughSince: moment("enough_since"),
});

/** Versions that are not restarted anymore because they crashed too often, until somebody or something unparks them. */
export const parkings = pgTable(
  "parkings",
  {
    id: id(),
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id),
    parkedAt: moment("parked_at").notNull().defaultNow(),
    /** How many crashes led to it. */
    crashes: integer("crashes").notNull(),
    /** Null while it is parked. Crashes from before this moment don't count anymore. */
    endedAt: moment("ended_at"),
    endedCause: unparkCauseEnum("ended_cause"),
    /** Who unparked it; null if nobody did. */
    endedBy: uuid("ended_by").references(() => users.id),
  },
  (table) => [
    index().on(table.versionId, table.endedAt),
    uniqueIndex("one_open_parking_a_version")
      .on(table.versionId)
      .where(sql`ended_at is null`),
  ],
);

/** The latest check of what apps can reach. There is one row. */
export const isolationChecks = pgTable(
  "isolation_checks",
  {
    id: boolean("id").primaryKey().default(true),
    requestedAt: moment("requested_at").notNull().defaultNow(),
    /** When a worker last began; null before the first check. A check that was requested since is due. */
    startedAt: moment("started_at"),
    /** When the check that ran last ended. */
    endedAt: moment("ended_at"),
    durationMs: integer("duration_ms"),
    /** Why the check that ran last has no result. */
    problem: text("problem"),
    /** The latest result. */
    places: jsonb("places").$type<IsolationPlace[]>().notNull().default([]),
    /** What kept apps to the hosts that they declare, at the check that ran last. */
    egress: jsonb("egress").$type<EgressWay>(),
  },
  (table) => [check("one_row", sql`${table.id}`)],
);

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

const count = (name: string) => bigint(name, { mode: "number" }).notNull().default(0);

/**
 * Where each version sent data, by host and day. In place of the version, automatic checks have the id of their evidence. Without foreign
 * keys, because they are many.
 */
export const egressDays = pgTable(
  "egress_days",
  {
    versionId: uuid("version_id").notNull(),
    /** In UTC. */
    day: date("day", { mode: "string" }).notNull(),
    /** Empty for connections that named none, and `OTHER_HOSTS` for those beyond the limit. */
    host: text("host").notNull(),
    connections: count("connections"),
    /** From the app. */
    bytesOut: count("bytes_out"),
    bytesIn: count("bytes_in"),
    refused: count("refused"),
    /** Why the last attempt was refused, and at which port; null if none was. */
    reason: text("reason"),
    refusedPort: integer("refused_port"),
    refusedAt: moment("refused_at"),
    /** Attempts that were refused within an hour of the first of them. */
    refusedSince: moment("refused_since"),
    refusedLately: integer("refused_lately").notNull().default(0),
    /** When a line in the app's log last told of it, and when its publisher was notified. */
    loggedAt: moment("logged_at"),
    notifiedAt: moment("notified_at"),
    firstAt: moment("first_at").notNull(),
    lastAt: moment("last_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "egress_days_pk", columns: [table.versionId, table.day, table.host] }),
    index().on(table.day),
  ],
);

/** The days on which the egress guard watched a version: what it did not count then did not happen. */
export const egressWatches = pgTable(
  "egress_watches",
  {
    /** As in `egress_days`. */
    versionId: uuid("version_id").notNull(),
    /** In UTC. */
    day: date("day", { mode: "string" }).notNull(),
  },
  (table) => [
    primaryKey({ name: "egress_watches_pk", columns: [table.versionId, table.day] }),
    index().on(table.day),
  ],
);

/** How much of each of the guard's counters is in `egress_days`: the guard reports totals, and to every worker. */
export const egressCounters = pgTable(
  "egress_counters",
  {
    /** The guard's policy: the network of one instance. */
    policy: text("policy").notNull(),
    host: text("host").notNull(),
    port: integer("port").notNull(),
    /** When the counter began, in milliseconds since 1970. One that begins again has another time. */
    since: bigint("since", { mode: "number" }).notNull(),
    connections: count("connections"),
    bytesOut: count("bytes_out"),
    bytesIn: count("bytes_in"),
    refused: count("refused"),
    recordedAt: moment("recorded_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: "egress_counters_pk", columns: [table.policy, table.host, table.port] }),
    index().on(table.recordedAt),
  ],
);
