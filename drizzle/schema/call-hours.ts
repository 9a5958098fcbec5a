import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

/**
 * The attempts of each hour, counted once it is over, so that charts of weeks don't read them again. Without foreign keys, like
 * the attempts. A row is what charts can be narrowed to; its arrays have an entry for each latency that occurred.
 */
export const callHours = pgTable(
  "call_hours",
  {
    /** When it begins. */
    hour: timestamp("hour", { withTimezone: true, mode: "date" }).notNull(),
    organizationId: uuid("organization_id").notNull(),
    installationId: uuid("installation_id").notNull(),
    routeId: uuid("route_id").notNull(),
    test: boolean("test").notNull(),
    /** Empty for calls without one. */
    eventType: text("event_type").notNull(),
    /** Buckets of `lib/domain/latency.ts`. */
    latencies: smallint("latencies").array().notNull(),
    calls: integer("calls").array().notNull(),
    failed: integer("failed").array().notNull(),
  },
  (table) => [
    primaryKey({
      name: "call_hours_pk",
      columns: [
        table.organizationId,
        table.hour,
        table.installationId,
        table.routeId,
        table.test,
        table.eventType,
      ],
    }),
    index().on(table.hour),
  ],
);
