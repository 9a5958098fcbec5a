import { index, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns";
import { organizations } from "./organizations";

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
    /** SHA-256 (hex) of the credential with which this tenant's core signs in to the gateway. */
    coreCredentialHash: text("core_credential_hash").notNull().unique(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.organizationId, table.name)],
);

export const products = pgTable(
  "products",
  {
    id: id(),
    tenantId: uuid("tenant_id")
      .notNull()
      .references(() => tenants.id),
    name: text("name").notNull(),
    /** JSON Schema of the product's policy data, as the core gave it. */
    schema: jsonb("schema").notNull(),
    refreshedAt: moment("refreshed_at").notNull().defaultNow(),
  },
  (table) => [unique().on(table.tenantId, table.name), index().on(table.tenantId)],
);
