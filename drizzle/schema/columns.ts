import { customType, timestamp, uuid } from "drizzle-orm/pg-core";
import { v7 } from "uuid";

/** Primary key: a UUIDv7, so that ids sort by creation. */
export const id = () => uuid("id").primaryKey().$defaultFn(v7);

export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const createdAt = () => moment("created_at").notNull().defaultNow();

/**
 * Any JavaScript string, exactly: PostgreSQL's text holds neither NUL nor half a surrogate pair, so the column holds
 * the string as a JSON literal, in which both are escapes.
 */
export const exactText = customType<{ data: string; driverData: string }>({
  dataType: () => "text",
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (literal) => String(JSON.parse(literal)),
});
