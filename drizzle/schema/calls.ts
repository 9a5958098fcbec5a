import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { ROUTE_KINDS } from "@/lib/contract/catalog/installation-states";
import { ENDPOINT_ACCESS } from "@/lib/contract/platform/manifest-terms";
import {
  BREAKER_STATES,
  DELIVERY_HOLDS,
  DELIVERY_STATES,
} from "../../lib/contract/catalog/installation-states";
import type { AppFault } from "../../lib/contract/platform/issue-codes";
import { LIFECYCLE_EVENTS } from "../../lib/contract/platform/manifest-terms";
import { createdAt, id, jsonb, lease, moment } from "./columns";
import { installations } from "./installations";
import { tenants } from "./installations-tenants";

export const routeKindEnum = pgEnum("route_kind", ROUTE_KINDS);

export const endpointAccessEnum = pgEnum("endpoint_access", ENDPOINT_ACCESS);

/** The secrets that sign an installation's webhooks: the current one, and replaced ones until their overlap ends. */
export const webhookSecrets = pgTable(
  "webhook_secrets",
  {
    id: id(),
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    /** Sealed for this row and the installation's organization. */
    sealed: text("sealed").notNull(),
    createdAt: createdAt(),
    /** When it stops signing; null for the current one. */
    expiresAt: moment("expires_at"),
  },
  (table) => [
    index().on(table.installationId),
    uniqueIndex("one_current_webhook_secret")
      .on(table.installationId)
      .where(sql`expires_at is null`),
  ],
);

/** When an app last read a revision. */
export const stateReads = pgTable(
  "state_reads",
  {
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    revision: integer("revision").notNull(),
    lastReadAt: moment("last_read_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.installationId, table.revision] })],
);

export const routes = pgTable(
  "routes",
  {
    /** The `routeId`. */
    id: id(),
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    kind: routeKindEnum("kind").notNull(),
    /** Path on the container; `/_app` for the lifecycle route, which each installation has once. */
    path: text("path").notNull(),
    /** The rater's name or the endpoint's title; empty for other kinds. */
    name: text("name").notNull().default(""),
    /** Event types of a webhook, operations of an autofill, methods of an endpoint. */
    patterns: jsonb("patterns").$type<string[]>().notNull().default([]),
    /** Who can call an endpoint; null for other kinds. */
    access: endpointAccessEnum("access"),
    /** When the customer opened a public endpoint; null while it is closed. */
    openedAt: moment("opened_at"),
    /** Set when the app responded with 410: it wants no more of these events. */
    endedAt: moment("ended_at"),
    /** Set while the running version does not declare it. A later version that declares it reuses the `routeId`. */
    removedAt: moment("removed_at"),
  },
  (table) => [unique().on(table.installationId, table.kind, table.path)],
);

export const deliveryStateEnum = pgEnum("delivery_state", DELIVERY_STATES);
export const deliveryHoldEnum = pgEnum("delivery_hold", DELIVERY_HOLDS);
export const breakerStateEnum = pgEnum("breaker_state", BREAKER_STATES);
export const lifecycleEventEnum = pgEnum("lifecycle_event", LIFECYCLE_EVENTS);

export const events = pgTable(
  "events",
  {
    id: id(),
    tenantId: uuid("tenant_id")
      .notNull()
      .references(() => tenants.id),
    /** The core's id of the event, which identifies repeated events. */
    eventId: text("event_id").notNull(),
    type: text("type").notNull(),
    /** The whole event as the core sent it: JSON as text, because parsing would round numbers and reorder members. */
    body: text("body").notNull(),
    /** The `traceparent` and `tracestate` that the core sent; null if it sent no valid one. Then the event's id is its trace. */
    traceParent: text("trace_parent"),
    traceState: text("trace_state"),
    /**
     * SHA-256 (hex) of the body. It distinguishes a repeated event from a different one with the same id after the body
     * is deleted.
     */
    bodyHash: text("body_hash").notNull(),
    /** Sent from the console by a member, not by the core. */
    test: boolean("test").notNull().default(false),
    receivedAt: moment("received_at").notNull().defaultNow(),
  },
  (table) => [unique().on(table.tenantId, table.eventId)],
);

export const deliveries = pgTable(
  "deliveries",
  {
    id: id(),
    eventId: uuid("event_id")
      .notNull()
      .references(() => events.id),
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    routeId: uuid("route_id")
      .notNull()
      .references(() => routes.id),
    /** Of its event. Empty if it is not known: then it shares a queue with its like. */
    eventType: text("event_type").notNull().default(""),
    state: deliveryStateEnum("state").notNull().default("PENDING"),
    /** The tries that it used. */
    attemptCount: integer("attempt_count").notNull().default(0),
    /** Attempts that used no try, because the app's instance was gone. */
    interruptions: integer("interruptions").notNull().default(0),
    nextAttemptAt: moment("next_attempt_at").notNull().defaultNow(),
    /** `leasedBy` is the attempt in progress. */
    ...lease(),
    createdAt: createdAt(),
    settledAt: moment("settled_at"),
    /** Why the last attempt failed; null if none did. */
    reason: text("reason"),
  },
  (table) => [
    unique().on(table.eventId, table.routeId),
    // One row changes its state once or twice, so few indexes keep settling cheap.
    // Each type of each installation is a queue, and in it come those that never failed before the others.
    index("pending_deliveries")
      .on(table.installationId, sql`(event_type collate "C")`, sql`(attempt_count > 0)`, table.nextAttemptAt)
      .where(sql`state = 'PENDING'`),
    index("dead_deliveries")
      .on(table.installationId, table.settledAt)
      .where(sql`state = 'DEAD'`),
  ],
);

const breaker = () => ({
  state: breakerStateEnum("state").notNull().default("CLOSED"),
  /** Failures in a row. */
  failures: integer("failures").notNull().default(0),
  /** How often it opened without closing since: each time it stays open longer. */
  openings: integer("openings").notNull().default(0),
  /** Since when deliveries wait; null while it is closed. */
  openedAt: moment("opened_at"),
  /** When the next delivery may be sent to find out whether the app works again; null while it is closed. */
  probeAt: moment("probe_at"),
  /** When it last closed. */
  closedAt: moment("closed_at"),
  /** Why the last delivery failed, and when. */
  reason: text("reason"),
  failedAt: moment("failed_at"),
});

/** The circuit breaker of all of an installation's deliveries, shared by all workers. No row: closed, and nothing failed. */
export const breakers = pgTable("breakers", {
  installationId: uuid("installation_id")
    .primaryKey()
    .references(() => installations.id),
  ...breaker(),
});

/** The same for its deliveries of one event type. */
export const typeBreakers = pgTable(
  "type_breakers",
  {
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    eventType: text("event_type").notNull(),
    ...breaker(),
  },
  (table) => [primaryKey({ columns: [table.installationId, table.eventType] })],
);

/**
 * One attempt of one call. If recorded, payload and answer are stored as text for the console, cut to 16 KiB. Without foreign
 * keys: four checks and four row locks for each call cost more than the row, what it names is only deleted after it, and only
 * calls of installations that exist are inserted.
 */
export const attempts = pgTable(
  "attempts",
  {
    id: id(),
    /** Of the installation, repeated here for lists of all calls of an organization. */
    organizationId: uuid("organization_id").notNull(),
    installationId: uuid("installation_id").notNull(),
    routeId: uuid("route_id").notNull(),
    deliveryId: uuid("delivery_id"),
    kind: routeKindEnum("kind").notNull(),
    /** The lifecycle hook that was called; null for other calls. */
    hook: lifecycleEventEnum("hook"),
    /** Method and path on the container, such as `POST /autofill`. */
    target: text("target").notNull(),
    /** The event's type or the autofill's `operation`, cut to 200 characters; null for other calls. */
    eventType: text("event_type"),
    /** The trace that it belongs to; null: its own id is its trace. */
    traceId: uuid("trace_id"),
    /** Sent from the console by a member, not by the core. */
    test: boolean("test").notNull().default(false),
    /** Whether payload and answer are stored: see docs/decisions/010. */
    recorded: boolean("recorded").notNull().default(true),
    payload: text("payload"),
    payloadBytes: integer("payload_bytes"),
    /** When a delivery was due, and what held it back since; null for calls that wait for nothing. */
    dueAt: moment("due_at"),
    heldBy: deliveryHoldEnum("held_by"),
    /** This and all other moments are on the database's clock, so that they can be compared. */
    startedAt: moment("started_at").notNull().defaultNow(),
    /** How long it waited in the platform before it was sent; null if it waits for nothing. */
    queueMs: bigint("queue_ms", { mode: "number" }),
    /** The platform's own time before it was sent and after it was answered, without that wait; null until it ended. */
    platformMs: integer("platform_ms"),
    /** The app's time, from the moment it was sent; null until it ended. */
    durationMs: integer("duration_ms"),
    endedAt: moment("ended_at"),
    /** The app's status; null if it did not respond. */
    status: integer("status"),
    answer: text("answer"),
    /** Null if no complete answer arrived. */
    answerBytes: integer("answer_bytes"),
    /** Why it failed; null if it succeeded. */
    failure: text("failure"),
    /** The same for machines: see `lib/contract/platform/issue-codes.ts`. */
    fault: text("fault").$type<AppFault>(),
    /** The instance that was called last; null until it ended, if none was, and for calls of early releases. */
    instanceId: uuid("instance_id"),
  },
  (table) => [
    index().on(table.installationId, table.id),
    index().on(table.organizationId, table.id),
    index("attempts_of_deliveries")
      .on(table.deliveryId)
      .where(sql`delivery_id is not null`),
    // Few of many calls: a list of failures reads nothing else.
    index("failed_attempts")
      .on(table.organizationId, table.id)
      .where(sql`failure is not null`),
    // The same goes for an installation's last hook, and for what the console sent last.
    index("lifecycle_attempts")
      .on(table.installationId, table.id)
      .where(sql`hook is not null`),
    index("test_attempts")
      .on(table.installationId, table.id)
      .where(sql`test`),
  ],
);

/** How often an app read its state with an attempt's key. An attempt without a row read none. */
export const attemptStateReads = pgTable("attempt_state_reads", {
  /** No foreign key: the attempt's own row may be written after the read. */
  attemptId: uuid("attempt_id").primaryKey(),
  count: integer("count").notNull(),
  firstReadAt: moment("first_read_at").notNull(),
  lastReadAt: moment("last_read_at").notNull(),
  /** Fixed by the key. Null for reads that an early release noted without it. */
  revision: integer("revision"),
});
