import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { INSTALLATION_STATES, ROUTE_KINDS } from "../../lib/contract/installation";
import { createdAt, id, moment } from "./columns";
import { listings, versions } from "./listings";
import { organizations, users } from "./organizations";
import { tenants } from "./tenants";

export const installationStateEnum = pgEnum("installation_state", INSTALLATION_STATES);
export const routeKindEnum = pgEnum("route_kind", ROUTE_KINDS);
export const INSTANCE_STATES = ["STARTING", "READY", "FAILED", "STOPPED"] as const;
export const instanceStateEnum = pgEnum("instance_state", INSTANCE_STATES);

/** How a setting's value is kept: as it is, or sealed (AES-256-GCM, base64url of iv ‖ tag ‖ ciphertext). */
export type StoredSetting =
  { kind: "plain"; value: string } | { kind: "sealed"; sealed: string; updatedAt: string; by: string };

export const dataKeys = pgTable("data_keys", {
  organizationId: uuid("organization_id")
    .primaryKey()
    .references(() => organizations.id),
  /** A 256-bit key, sealed by the master key that `masterKeyId` names. */
  wrapped: text("wrapped").notNull(),
  masterKeyId: text("master_key_id").notNull(),
  createdAt: createdAt(),
});

/** A running container (or process) of a version; it serves all installations of that version. */
export const instances = pgTable(
  "instances",
  {
    id: id(),
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id),
    runtime: text("runtime").notNull(),
    /** The runtime's own name for it: a container id, or a process id. */
    handle: text("handle"),
    /** Origin that the platform calls, such as `http://127.0.0.1:49153`. */
    origin: text("origin"),
    state: instanceStateEnum("state").notNull().default("STARTING"),
    reason: text("reason"),
    logTail: text("log_tail"),
    failedChecks: integer("failed_checks").notNull().default(0),
    restarts: integer("restarts").notNull().default(0),
    createdAt: createdAt(),
    readyAt: moment("ready_at"),
    checkedAt: moment("checked_at"),
    endedAt: moment("ended_at"),
  },
  (table) => [
    uniqueIndex("one_live_instance_a_version")
      .on(table.versionId)
      .where(sql`state in ('STARTING', 'READY')`),
  ],
);

export const installations = pgTable(
  "installations",
  {
    id: id(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    tenantId: uuid("tenant_id")
      .notNull()
      .references(() => tenants.id),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id),
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id),
    /** A Test Launch of the publishing organization. */
    test: boolean("test").notNull().default(false),
    state: installationStateEnum("state").notNull().default("LAUNCHING"),
    /** Why it is in `ERROR`, in words that help. */
    reason: text("reason"),
    /** Set once the install hook has succeeded (or the manifest declares none). */
    installedAt: moment("installed_at"),
    /** The current revision of its configuration. */
    revision: integer("revision").notNull().default(1),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
    /** While a worker moves it on, until then. */
    leasedUntil: moment("leased_until"),
  },
  (table) => [
    index().on(table.organizationId),
    index().on(table.versionId),
    index().on(table.tenantId),
    uniqueIndex("one_installation_a_tenant")
      .on(table.tenantId, table.listingId, table.test)
      .where(sql`state <> 'UNINSTALLED'`),
  ],
);

export const configurations = pgTable(
  "configurations",
  {
    id: id(),
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    revision: integer("revision").notNull(),
    settings: jsonb("settings").$type<Record<string, StoredSetting>>().notNull(),
    /** One entry for each product of the tenant, in the order of the record. */
    mappings: jsonb("mappings").$type<{ productName: string; fields: Record<string, string> }[]>().notNull(),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.installationId, table.revision)],
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
    /** Path on the container; `/_app` for the lifecycle route, of which each installation has one. */
    path: text("path").notNull(),
    /** The rater's name; empty for other kinds. */
    name: text("name").notNull().default(""),
    /** Event types of a webhook, operations of an autofill. */
    patterns: jsonb("patterns").$type<string[]>().notNull().default([]),
    /** Set when the app answered 410: it wants no more of these events. */
    endedAt: moment("ended_at"),
  },
  (table) => [unique().on(table.installationId, table.kind, table.path)],
);
