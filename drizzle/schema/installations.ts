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
} from "../../lib/contract/installation-states";
import { REASON_CODES, UNPARK_CAUSES } from "../../lib/contract/instance-reasons";
import { ENDPOINT_ACCESS, type SettingType } from "../../lib/contract/manifest-terms";
import { createdAt, id, lease, moment } from "./columns";
import { evidence } from "./evidence";
import { listings, versions } from "./listings";
import { organizations, users } from "./organizations";
import { tenants } from "./tenants";

export const installationStateEnum = pgEnum("installation_state", INSTALLATION_STATES);
export const routeKindEnum = pgEnum("route_kind", ROUTE_KINDS);
export const endpointAccessEnum = pgEnum("endpoint_access", ENDPOINT_ACCESS);
/** `DRAINING`: it gets no more calls, and ends after the ones in progress. */
export const INSTANCE_STATES = ["STARTING", "READY", "DRAINING", "FAILED", "STOPPED"] as const;
export const instanceStateEnum = pgEnum("instance_state", INSTANCE_STATES);
export const reasonCodeEnum = pgEnum("instance_reason_code", REASON_CODES);
export const unparkCauseEnum = pgEnum("unpark_cause", UNPARK_CAUSES);

/** How a sealed value was declared when it was entered, in which revision, when, and by whom. */
interface SealedOrigin {
  type: SettingType;
  setIn: number;
  /** ISO 8601. */
  updatedAt: string;
  by: string;
}

/**
 * A setting's value in plain text, or sealed (AES-256-GCM, base64url of iv ‖ tag ‖ ciphertext). `gone`: it was sealed in an
 * earlier revision, and removed when it was replaced or cleared.
 */
export type StoredSetting =
  | { kind: "plain"; value: string }
  | ({ kind: "sealed"; sealed: string } & SealedOrigin)
  | ({ kind: "gone" } & SealedOrigin);

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
     * Must run as well: during an upgrade the new version until the switch, then the old version until its calls in progress
     * have ended.
     */
    otherVersionId: uuid("other_version_id").references(() => versions.id),
    /** A Test Launch of the publishing organization. */
    test: boolean("test").notNull().default(false),
    /**
     * The automatic checks that this made-up customer belongs to; they run an instance of their own. Null for real
     * customers.
     */
    evidenceId: uuid("evidence_id").references(() => evidence.id),
    state: installationStateEnum("state").notNull().default("LAUNCHING"),
    /** Why it is in `ERROR` and how to fix it. */
    reason: text("reason"),
    /** The code of that reason, if the app could not be started; null if it is in another state or a hook failed. */
    reasonCode: reasonCodeEnum("reason_code"),
    /** When it last became `RUNNING`. */
    runningSince: moment("running_since"),
    /** Set once the install hook has succeeded (or the manifest declares none). */
    installedAt: moment("installed_at"),
    /** The current revision of its configuration. */
    revision: integer("revision").notNull().default(1),
    /** Incremented by each stop, start, and uninstall. State keys of an earlier epoch never work again. */
    keyEpoch: integer("key_epoch").notNull().default(0),
    /** Its endpoints are below `<gateway>/r/<routeBase>`, which hooks receive as `route`. Replacing it ends the old URLs. */
    routeBase: uuid("route_base").notNull().unique().defaultRandom(),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
    ...lease(),
  },
  (table) => [
    index().on(table.organizationId),
    index().on(table.versionId),
    index().on(table.otherVersionId),
    index().on(table.tenantId),
    index("installations_of_evidence")
      .on(table.evidenceId)
      .where(sql`evidence_id is not null`),
    uniqueIndex("one_installation_a_tenant")
      .on(table.tenantId, table.listingId, table.test)
      .where(sql`state <> 'UNINSTALLED'`),
  ],
);

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

export const configurations = pgTable(
  "configurations",
  {
    id: id(),
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    revision: integer("revision").notNull(),
    /** The version whose manifest declares the settings of this revision. */
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id),
    cause: configurationCauseEnum("cause").notNull().default("launch"),
    /** The revision that was restored; null for other causes. */
    restoredFrom: integer("restored_from"),
    settings: jsonb("settings").$type<Record<string, StoredSetting>>().notNull(),
    /** One entry for each product of the tenant, ordered as in the state record. */
    mappings: jsonb("mappings").$type<{ productName: string; fields: Record<string, string> }[]>().notNull(),
    /** SHA-256 (hex) of each product's schema when its mapping was saved, by product. */
    schemaDigests: jsonb("schema_digests").$type<Record<string, string>>().notNull().default({}),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    /** When a later revision replaced it. State keys sealed before then still read this one. */
    supersededAt: moment("superseded_at"),
    /** When secrets that are no longer needed were removed from it. */
    scrubbedAt: moment("scrubbed_at"),
  },
  (table) => [
    unique().on(table.installationId, table.revision),
    index("configurations_to_scrub")
      .on(table.supersededAt)
      .where(sql`superseded_at is not null and scrubbed_at is null`),
  ],
);

/** The ledger of secrets: what was done with each, never its value. */
export const secretEvents = pgTable(
  "secret_events",
  {
    id: id(),
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    revision: integer("revision").notNull(),
    /** The setting's name. */
    name: text("name").notNull(),
    action: secretActionEnum("action").notNull(),
    /** Null for the platform itself, when it removes a secret. */
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
