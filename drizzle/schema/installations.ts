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
import {
  CONFIGURATION_CAUSES,
  INSTALLATION_STATES,
  SECRET_ACTIONS,
} from "../../lib/contract/installation-states";
import type { SettingType } from "../../lib/contract/manifest-terms";
import { createdAt, id, lease, moment } from "./columns";
import { evidence } from "./evidence";
import { reasonCodeEnum } from "./instances";
import { listings, versions } from "./listings";
import { organizations, users } from "./organizations";
import { tenants } from "./tenants";

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
