import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  pgEnum,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { type CheckResult, CONFIGURATION_CHECK_STATES } from "../../lib/contract/catalog/configuration";
import {
  CONFIGURATION_CAUSES,
  INSTALLATION_STATES,
  SECRET_ACTIONS,
  UNINSTALL_REASONS,
  UPGRADE_STATES,
} from "../../lib/contract/catalog/installation-states";
import type { ConnectionTest } from "../../lib/contract/platform/core";
import type { SettingType } from "../../lib/contract/platform/manifest-terms";
import { organizations, users } from "./accounts";
import { listings, versions } from "./catalog";
import { createdAt, id, jsonb, lease, moment } from "./columns";
import { evidence } from "./moderation";
import { reasonCodeEnum } from "./runtime";

export const TENANT_NAME_INDEX = "one_tenant_a_name";
export const TENANT_HOST_INDEX = "one_tenant_a_host";

export const tenants = pgTable(
  "tenants",
  {
    id: id(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    name: text("name").notNull(),
    hostName: text("host_name").notNull(),
    coreApiUrl: text("core_api_url").notNull(),
    /** The credential that the core requires in addition to the token, sealed; null if it requires none. */
    credential: jsonb("credential").$type<{ sealed: string; updatedAt: string; by: string }>(),
    /** On the platform's own core, for Test Launches only. */
    sandbox: boolean("sandbox").notNull().default(false),
    /** The last connection test. */
    connection: jsonb("connection").$type<ConnectionTest>(),
    /** It was connected before host names were unique, when another tenant already had its host name. */
    sharesHost: boolean("shares_host").notNull().default(false),
    /** Who tries an app in it, and until when. Null for all tenants but those of trials, which are sandboxes. */
    trialBy: uuid("trial_by").references(() => users.id),
    trialEndsAt: moment("trial_ends_at"),
    createdAt: createdAt(),
    /** Kept for the history of its installations; every other part of the platform treats it as absent. */
    disconnectedAt: moment("disconnected_at"),
  },
  (table) => [
    uniqueIndex(TENANT_NAME_INDEX)
      .on(table.organizationId, table.name)
      .where(sql`disconnected_at is null`),
    uniqueIndex(TENANT_HOST_INDEX)
      .on(sql`lower(host_name)`)
      .where(sql`disconnected_at is null and not sandbox and not shares_host`),
    index("open_trials")
      .on(table.trialBy)
      .where(sql`trial_by is not null and disconnected_at is null`),
  ],
);

/** With each of these, the tenant's core signs in to the gateway. A rotation adds one; a revoked one is deleted. */
export const coreCredentials = pgTable(
  "core_credentials",
  {
    id: id(),
    tenantId: uuid("tenant_id")
      .notNull()
      .references(() => tenants.id),
    /** SHA-256 of a 256-bit random value, hex. */
    hash: text("hash").notNull().unique(),
    createdAt: createdAt(),
    /** When it stops working; null for the current one. */
    expiresAt: moment("expires_at"),
    /** Up to a minute behind. */
    lastUsedAt: moment("last_used_at"),
  },
  (table) => [index().on(table.tenantId)],
);

export const products = pgTable(
  "products",
  {
    id: id(),
    tenantId: uuid("tenant_id")
      .notNull()
      .references(() => tenants.id),
    name: text("name").notNull(),
    /** JSON Schema of the product's policy data, from the core. */
    schema: jsonb("schema").notNull(),
    /** SHA-256 (hex) of the schema with sorted keys. */
    schemaDigest: text("schema_digest").notNull().default(""),
    /** When the schema last changed. */
    changedAt: moment("changed_at").notNull().defaultNow(),
    /** Sample policy data for testing paths, if the core provides it. */
    sample: jsonb("sample"),
    refreshedAt: moment("refreshed_at").notNull().defaultNow(),
  },
  (table) => [unique().on(table.tenantId, table.name), index().on(table.tenantId)],
);

export const installationStateEnum = pgEnum("installation_state", INSTALLATION_STATES);

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
    index().on(table.listingId),
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

export const uninstallReasonEnum = pgEnum("uninstall_reason", UNINSTALL_REASONS);

/** Why customers uninstalled an app, if they said so. The publisher reads it without their names. */
export const uninstallAnswers = pgTable(
  "uninstall_answers",
  {
    installationId: uuid("installation_id")
      .primaryKey()
      .references(() => installations.id, { onDelete: "cascade" }),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id),
    /** The version that it used. */
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id),
    reason: uninstallReasonEnum("reason").notNull(),
    comment: text("comment").notNull().default(""),
    at: moment("at").notNull().defaultNow(),
  },
  (table) => [index().on(table.listingId, table.at)],
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
    /** The permissions that the customer agreed to, with spaces between them; null if the version's manifest lists none. */
    scope: text("scope"),
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

export const upgradeStateEnum = pgEnum("upgrade_state", UPGRADE_STATES);

/** An upgrade or rollback of an installation. The old version serves until the new one is healthy. */
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
    /** The revisions that serve before and after the switch. */
    fromRevision: integer("from_revision").notNull(),
    toRevision: integer("to_revision").notNull(),
    /** It returns to the previous version. */
    rollback: boolean("rollback").notNull().default(false),
    /** The customer agreed to open the endpoints that this version makes public. */
    openEndpoints: boolean("open_endpoints").notNull().default(false),
    state: upgradeStateEnum("state").notNull().default("STARTING"),
    /** Why it failed and how to fix it. */
    reason: text("reason"),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    switchedAt: moment("switched_at"),
    endedAt: moment("ended_at"),
    ...lease(),
  },
  (table) => [
    index().on(table.installationId),
    uniqueIndex("one_upgrade_at_a_time")
      .on(table.installationId)
      .where(sql`state in ('STARTING', 'DRAINING')`),
  ],
);

export const configurationCheckStateEnum = pgEnum("configuration_check_state", CONFIGURATION_CHECK_STATES);

/** As `StoredSetting`, but sealed for the check's id in place of an installation's. */
export type CheckedSetting = { kind: "plain"; value: string } | { kind: "sealed"; sealed: string };

/**
 * Answers that an app checks before they are saved. Only the worker reaches apps that must be started, so it makes the call. The
 * answers are deleted when the check ends, and the row soon after. No row is a call: calls belong to installations.
 */
export const configurationChecks = pgTable(
  "configuration_checks",
  {
    id: id(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    /** Who asked for it. Nobody else can read the result. */
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tenantId: uuid("tenant_id")
      .notNull()
      .references(() => tenants.id, { onDelete: "cascade" }),
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id),
    /** Null before a launch. */
    installationId: uuid("installation_id").references(() => installations.id, { onDelete: "cascade" }),
    state: configurationCheckStateEnum("state").notNull().default("QUEUED"),
    /** Null once it ended. */
    settings: jsonb("settings").$type<Record<string, CheckedSetting>>(),
    mappings: jsonb("mappings").$type<{ productName: string; fields: Record<string, string> }[]>(),
    /** As in `configurations`: what the customer would agree to. */
    scope: text("scope"),
    result: jsonb("result").$type<CheckResult>(),
    createdAt: createdAt(),
    endedAt: moment("ended_at"),
    ...lease(),
  },
  (table) => [
    index("open_configuration_checks")
      .on(table.createdAt)
      .where(sql`state <> 'ENDED'`),
    index().on(table.versionId),
    index().on(table.userId),
  ],
);
