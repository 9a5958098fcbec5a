import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  CONFIGURATION_CAUSES,
  INSTALLATION_STATES,
  ROUTE_KINDS,
  SECRET_ACTIONS,
  UPGRADE_STATES,
} from "../../lib/contract/installation";
import type { SettingType } from "../../lib/contract/manifest";
import { createdAt, id, moment } from "./columns";
import { listings, versions } from "./listings";
import { organizations, users } from "./organizations";
import { tenants } from "./tenants";

export const installationStateEnum = pgEnum("installation_state", INSTALLATION_STATES);
export const routeKindEnum = pgEnum("route_kind", ROUTE_KINDS);
export const INSTANCE_STATES = ["STARTING", "READY", "FAILED", "STOPPED"] as const;
export const instanceStateEnum = pgEnum("instance_state", INSTANCE_STATES);

/** Of a sealed value: what it was declared as when it was entered, in which revision, when and by whom. */
interface SealedOrigin {
  type: SettingType;
  setIn: number;
  /** ISO 8601. */
  updatedAt: string;
  by: string;
}

/**
 * How a setting's value is kept: as it is, or sealed (AES-256-GCM, base64url of iv ‖ tag ‖ ciphertext). `gone`: it was
 * sealed in an earlier revision, and removed when it was replaced or cleared.
 */
export type StoredSetting =
  | { kind: "plain"; value: string }
  | ({ kind: "sealed"; sealed: string } & SealedOrigin)
  | ({ kind: "gone" } & SealedOrigin);

export const upgradeStateEnum = pgEnum("upgrade_state", UPGRADE_STATES);
export const secretActionEnum = pgEnum("secret_action", SECRET_ACTIONS);
export const configurationCauseEnum = pgEnum("configuration_cause", CONFIGURATION_CAUSES);

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
    /**
     * Needed too: the version that an upgrade moves to until it has switched, then the one that it came from, until the
     * calls that were under way there have ended.
     */
    otherVersionId: uuid("other_version_id").references(() => versions.id),
    /** A Test Launch of the publishing organization. */
    test: boolean("test").notNull().default(false),
    state: installationStateEnum("state").notNull().default("LAUNCHING"),
    /** Why it is in `ERROR`, in words that help. */
    reason: text("reason"),
    /** Set once the install hook has succeeded (or the manifest declares none). */
    installedAt: moment("installed_at"),
    /** The current revision of its configuration. */
    revision: integer("revision").notNull().default(1),
    /** One more at each stop, start and uninstall: state keys of an earlier epoch are dead, and stay so. */
    keyEpoch: integer("key_epoch").notNull().default(0),
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
    index().on(table.otherVersionId),
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
    /** The version whose manifest declares what this revision answers. */
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id),
    cause: configurationCauseEnum("cause").notNull().default("launch"),
    /** The revision that was restored; null for other causes. */
    restoredFrom: integer("restored_from"),
    settings: jsonb("settings").$type<Record<string, StoredSetting>>().notNull(),
    /** One entry for each product of the tenant, in the order of the record. */
    mappings: jsonb("mappings").$type<{ productName: string; fields: Record<string, string> }[]>().notNull(),
    /** SHA-256 (hex) of each product's schema as it was when its mapping was saved, by product. */
    schemaDigests: jsonb("schema_digests").$type<Record<string, string>>().notNull().default({}),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    /** When a later revision took its place: keys sealed before that still read this one. */
    supersededAt: moment("superseded_at"),
    /** When what nobody can need any more was removed from it. */
    scrubbedAt: moment("scrubbed_at"),
  },
  (table) => [
    unique().on(table.installationId, table.revision),
    index("configurations_to_scrub")
      .on(table.supersededAt)
      .where(sql`superseded_at is not null and scrubbed_at is null`),
  ],
);

/** One move of an installation to another version. The old version serves until the new one is up and healthy. */
export const upgrades = pgTable(
  "upgrades",
  {
    id: id(),
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    fromVersionId: uuid("from_version_id")
      .notNull()
      .references(() => versions.id),
    toVersionId: uuid("to_version_id")
      .notNull()
      .references(() => versions.id),
    /** The revision that serves until the switch, and the one that serves from then on. */
    fromRevision: integer("from_revision").notNull(),
    toRevision: integer("to_revision").notNull(),
    /** It goes back to the version before. */
    rollback: boolean("rollback").notNull().default(false),
    state: upgradeStateEnum("state").notNull().default("STARTING"),
    /** Why it failed, in words that help. */
    reason: text("reason"),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    switchedAt: moment("switched_at"),
    endedAt: moment("ended_at"),
    /** While a worker is at it, until then. */
    leasedUntil: moment("leased_until"),
  },
  (table) => [
    index().on(table.installationId),
    uniqueIndex("one_upgrade_at_a_time")
      .on(table.installationId)
      .where(sql`state in ('STARTING', 'DRAINING')`),
  ],
);

/** The ledger of secrets: what was done with each, never what it is. */
export const secretEvents = pgTable(
  "secret_events",
  {
    id: id(),
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    revision: integer("revision").notNull(),
    /** The setting. */
    name: text("name").notNull(),
    action: secretActionEnum("action").notNull(),
    /** Null: the platform itself, at the removal. */
    by: uuid("by").references(() => users.id),
    at: moment("at").notNull().defaultNow(),
  },
  (table) => [index().on(table.installationId, table.id)],
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
    /** Path on the container; `/_app` for the lifecycle route, of which each installation has one. */
    path: text("path").notNull(),
    /** The rater's name; empty for other kinds. */
    name: text("name").notNull().default(""),
    /** Event types of a webhook, operations of an autofill. */
    patterns: jsonb("patterns").$type<string[]>().notNull().default([]),
    /** Set when the app answered 410: it wants no more of these events. */
    endedAt: moment("ended_at"),
    /** Set when the version that runs now does not declare it. A later one that does gets the same `routeId` again. */
    removedAt: moment("removed_at"),
  },
  (table) => [unique().on(table.installationId, table.kind, table.path)],
);
