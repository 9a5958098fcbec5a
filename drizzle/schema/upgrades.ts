import { sql } from "drizzle-orm";
import { boolean, index, integer, pgEnum, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { UPGRADE_STATES } from "../../lib/contract/installation-states";
import { createdAt, id, lease, moment } from "./columns";
import { installations } from "./installations";
import { versions } from "./listings";
import { users } from "./organizations";

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
