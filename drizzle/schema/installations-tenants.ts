import { sql } from "drizzle-orm";
import { boolean, index, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ConnectionTest } from "../../lib/contract/platform/core";
import { organizations, users } from "./accounts";
import { createdAt, id, jsonb, moment } from "./columns";

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
    /** SHA-256 of the token of the app's link that the trial was started with, hex, as `listings.link_hash`; null without one. */
    trialLinkHash: text("trial_link_hash"),
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
