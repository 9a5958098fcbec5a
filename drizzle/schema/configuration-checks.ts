import { sql } from "drizzle-orm";
import { index, jsonb, pgEnum, pgTable, uuid } from "drizzle-orm/pg-core";
import { CONFIGURATION_CHECK_STATES, type CheckResult } from "../../lib/contract/configuration-check";
import { createdAt, id, lease, moment } from "./columns";
import { installations } from "./installations";
import { versions } from "./listings";
import { organizations, users } from "./organizations";
import { tenants } from "./tenants";

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
