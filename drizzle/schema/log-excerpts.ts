import { sql } from "drizzle-orm";
import { boolean, index, pgEnum, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { LOG_EXCERPT_STATES } from "../../lib/contract/call-view";
import { createdAt, lease } from "./columns";
import { attempts } from "./deliveries";
import { instances } from "./instances";

export const logExcerptStateEnum = pgEnum("log_excerpt_state", LOG_EXCERPT_STATES);

/** What an app wrote to its log while it handled an attempt. Only a worker reaches logs, so it reads what others ask for here. */
export const logExcerpts = pgTable(
  "log_excerpts",
  {
    attemptId: uuid("attempt_id")
      .primaryKey()
      .references(() => attempts.id, { onDelete: "cascade" }),
    state: logExcerptStateEnum("state").notNull().default("WAITING"),
    /** The instance whose log it is, as far as it is kept; null if nothing ran. */
    instanceId: uuid("instance_id").references(() => instances.id, { onDelete: "set null" }),
    /** Without secrets, state keys and control characters. Null until it is read, and if it is gone. */
    text: text("text"),
    /** The app wrote more than is stored. */
    cut: boolean("cut").notNull().default(false),
    createdAt: createdAt(),
    ...lease(),
  },
  (table) => [
    index("waiting_log_excerpts")
      .on(table.createdAt)
      .where(sql`state = 'WAITING'`),
    index().on(table.instanceId),
  ],
);
