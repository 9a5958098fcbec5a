import { customType, timestamp, uuid } from "drizzle-orm/pg-core";
import { v7 } from "uuid";

/** Primary key: a UUIDv7, so that ids sort by creation. */
export const id = () => uuid("id").primaryKey().$defaultFn(v7);

export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const createdAt = () => moment("created_at").notNull().defaultNow();

/**
 * Any JavaScript string, stored as a JSON literal, because PostgreSQL's text can store neither NUL nor half a surrogate
 * pair. The literal escapes both.
 */
export const exactText = customType<{ data: string; driverData: string }>({
  dataType: () => "text",
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (literal) => String(JSON.parse(literal)),
});

/** Words that a full-text search finds. PostgreSQL computes it, and nothing reads it. */
export const searchVector = customType<{ data: string }>({ dataType: () => "tsvector" });

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
