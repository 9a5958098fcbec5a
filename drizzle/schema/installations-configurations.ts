import { sql } from "drizzle-orm";
import { index, integer, pgEnum, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { type CheckResult, CONFIGURATION_CHECK_STATES } from "../../lib/contract/catalog/configuration";
import { CONFIGURATION_CAUSES, SECRET_ACTIONS } from "../../lib/contract/catalog/installation-states";
import type { SettingType } from "../../lib/contract/platform/manifest-terms";
import { organizations, users } from "./accounts";
import { versions } from "./catalog";
import { createdAt, id, jsonb, lease, moment } from "./columns";
import { installations } from "./installations";
import { tenants } from "./installations-tenants";

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
