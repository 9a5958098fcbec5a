import { sql } from "drizzle-orm";
import {
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
import { ROUTE_KINDS } from "@/lib/contract/installation-states";
import { ENDPOINT_ACCESS } from "@/lib/contract/manifest-terms";
import { createdAt, id, moment } from "./columns";
import { installations } from "./installations";

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
